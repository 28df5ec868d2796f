<?php
/** Loads Guzzle, as Debian installs it, and the classes of the generated client. */

require '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = str_replace(['OpenAPI\\Client', '\\'], [__DIR__ . '/lib', '/'], $class) . '.php';
    if (is_file($file)) {
        require $file;
    }
});
