<?php
/** Games of all three kinds with the client of openapi-generator (php). */

use OpenAPI\Client\Api\SlopecrashersApi;
use OpenAPI\Client\Api\SnowcrestApi;
use OpenAPI\Client\Api\SnowTimeApi;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model;

require __DIR__ . '/php_loader.php';

function snowTime(SnowTimeApi $api): string
{
    $players = ['red' => 'anna', 'blue' => 'bob', 'green' => 'cleo'];
    $seats = [];
    foreach ($players as $seat => $player) {
        $seats[] = new Model\SnowTimeNewSeat(['seat' => $seat, 'player' => $player]);
    }
    $state = $api->snowTimeNew(new Model\SnowTimeNewRequest(['seats' => $seats]))->getState();
    for ($round = 1, $events = 0; ; $round++) {
        $growth = new Model\SnowTimeGrowRequest(['state' => $state, 'seed' => $round]);
        $state = $api->snowTimeGrow($growth)->getState();
        $moves = [];
        foreach ($players as $player) {
            $question = ['state' => $state, 'player' => $player, 'effort' => 'quick', 'nonce' => "$round"];
            $moves += $api->snowTimeSuggest(new Model\SnowTimeSuggestRequest($question))->getPick();
        }
        do {
            $revealed = ['state' => $state, 'revealed' => $moves];
            $legal = $api->snowTimeLegalMoves(new Model\SnowTimeLegalMovesRequest($revealed))->getMoves();
            foreach ($legal as $seat => $choices) {
                $moves[$seat] = end($choices);
            }
        } while ($legal);
        $played = new Model\SnowTimeResolveRequest(['state' => $state, 'moves' => $moves]);
        $resolved = $api->snowTimeResolve($played);
        $state = $resolved->getState();
        $events += count($resolved->getEvents());
        if ($resolved->getGameOver()) {
            return "$round $events " . implode(' ', $resolved->getWinners());
        }
    }
}

/** Play a game of turns; its operations and models are named alike. */
function turns(SlopecrashersApi|SnowcrestApi $api, string $game): string
{
    $call = function (string $operation, array $body) use ($api, $game) {
        $class = "OpenAPI\\Client\\Model\\$game" . $operation . 'Request';
        return $api->{lcfirst($game) . $operation}(new $class($body));
    };
    $action = "OpenAPI\\Client\\Model\\{$game}Action";
    $state = $call('New', ['seats' => [['player' => 'anna'], ['player' => 'bob']], 'seed' => 1])->getState();
    for ($turn = 1, $events = 0; ; $turn++) {
        $soFar = [];
        while (true) {
            $legal = $call('LegalMoves', ['state' => $state, 'so_far' => $soFar]);
            if ($legal->getDecision() === 'none') {
                break;
            } elseif ($legal->getDecision() === 'draw') {
                // The constructor sets the tag to the name of the class.
                $soFar[] = (new $action())->setType('draw')->setCard($legal->getDraw()[0]->getCard());
            } else {
                $question = ['state' => $state, 'so_far' => $soFar, 'player' => $legal->getPlayer()];
                $soFar[] = $call('Suggest', $question + ['effort' => 'quick'])->getPick();
            }
        }
        $resolved = $call('Resolve', ['state' => $state, 'moves' => $soFar]);
        $state = $resolved->getState();
        $events += count($resolved->getEvents());
        if ($resolved->getGameOver()) {
            return "$turn $events " . implode(' ', $resolved->getWinners());
        }
    }
}

/** Decode a response of a later version, and return what is known of it. */
function later(string $file): string
{
    $class = 'OpenAPI\\Client\\Model\\SnowTimeResolveResponse';
    $resolved = OpenAPI\Client\ObjectSerializer::deserialize(file_get_contents($file), $class);
    return count($resolved->getEvents()) . ' ' . json_encode($resolved->getGameOver());
}

if ($argc > 2) {
    echo later($argv[2]), "\n";
    exit;
}
$settings = (new Configuration())->setHost($argv[1]);
$http = new GuzzleHttp\Client();
echo snowTime(new SnowTimeApi($http, $settings)), "\n";
echo turns(new SlopecrashersApi($http, $settings), 'Slopecrashers'), "\n";
echo turns(new SnowcrestApi($http, $settings), 'Snowcrest'), "\n";
