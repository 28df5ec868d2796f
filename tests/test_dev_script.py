"""``scripts/dev.py``: whom it refuses, what it trusts, what it starts."""

import ast
import os
import re
import runpy
import subprocess
import sys
import threading
import time
from pathlib import Path

import dev
import pytest
from gunicorn.config import Config
from workbench import commands, environment, installer
from workbench.environment import Environment
from workbench.reporting import SetUpError

ROOT = Path(__file__).resolve().parents[1]
DEV_SCRIPT = ROOT / "scripts" / "dev.py"

LOCK_FILES = [ROOT / folder / "requirements.txt" for folder in ("deploy", "tests", "scripts")]


# Who is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10), (3, 15), (4, 0)])
def test_a_python_outside_the_bounds_is_refused_in_one_sentence(version):
    sentence = dev.refusal(version, "posix", (3, 11), (3, 15))
    assert sentence.startswith("Winter Games needs Python 3.11 or newer, below 3.15, on Linux")
    assert "this is Python {}.{}".format(*version) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize("version", [(3, 11), (3, 14)])
def test_a_python_within_the_bounds_is_welcome(version):
    assert dev.refusal(version, "posix", (3, 11), (3, 15)) is None


def test_windows_is_refused():
    assert "on Linux or macOS" in dev.refusal((3, 12), "nt", (3, 11), (3, 15))


def test_the_bounds_are_those_of_requires_python():
    project = '[project]\nname = "x"\nrequires-python = ">=3.12,<3.14"\n'
    assert dev.supported_versions(project) == ((3, 12), (3, 14))


def test_bounds_that_cannot_be_read_are_an_error():
    with pytest.raises(ValueError, match="requires-python"):
        dev.supported_versions('requires-python = "~=3.11"\n')


def test_an_unsupported_python_ends_with_exit_code_two_and_the_sentence_alone():
    pretend = (
        "import runpy, sys; sys.version_info = (3, 10, 13, 'final', 0);"
        f"runpy.run_path({str(DEV_SCRIPT)!r}, run_name='__main__')"
    )
    ended = subprocess.run(
        [sys.executable, "-c", pretend], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert re.fullmatch(r"Winter Games needs Python .*; this is Python 3\.10 .*\.\n", ended.stderr)


def test_an_old_python_can_read_the_script():
    newer_than_python_2 = (
        ast.AnnAssign,
        ast.AsyncFunctionDef,
        ast.JoinedStr,
        ast.Match,
        ast.NamedExpr,
        ast.Nonlocal,
        ast.YieldFrom,
    )
    source = DEV_SCRIPT.read_text(encoding="utf-8")
    assert source.isascii()  # Python 2 wants a coding line for anything else
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        assert not isinstance(node, newer_than_python_2), f"line {line}"
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.args, *node.args.posonlyargs, *node.args.kwonlyargs]
            assert not node.args.kwonlyargs, f"line {line}"
            assert not node.args.posonlyargs, f"line {line}"
            assert not any(a.annotation for a in arguments), f"line {line}"
            assert node.returns is None, f"line {line}"


# The developer's pip --------------------------------------------------------------------------


@pytest.fixture
def python_saying(tmp_path):
    """Make a stand-in for a Python whose ``-m pip --version`` prints the given words."""

    def make(words):
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\necho '{words}'\n")
        python.chmod(0o755)
        return python

    return make


def test_a_missing_pip_is_a_sentence(python_saying):
    with pytest.raises(SetUpError, match=r"has no pip: install it .*\.$"):
        installer.require_pip(python_saying(""))


def test_a_pip_too_old_to_fill_another_environment_is_a_sentence(python_saying):
    with pytest.raises(SetUpError, match=r"pip 20\.3 .* too old: version 22\.3 or newer"):
        installer.require_pip(python_saying("pip 20.3.4 from /usr/lib (python 3.11)"))


def test_the_oldest_pip_that_can_is_enough(python_saying):
    installer.require_pip(python_saying("pip 22.3 from /usr/lib (python 3.11)"))


def test_pip_keeps_the_way_to_its_index_but_not_a_place_to_install_to():
    environ = {"PIP_INDEX_URL": "https://index.example", "PIP_TARGET": "/elsewhere", "HOME": "/h"}
    assert installer.pip_environ(environ) == {
        "PIP_INDEX_URL": "https://index.example",
        "HOME": "/h",
    }


def test_a_failing_pip_shows_its_own_words(python_saying, tmp_path, capfd):
    python = tmp_path / "failing"
    python.write_text("#!/bin/sh\necho 'no such wheel'\nexit 1\n")
    python.chmod(0o755)
    with (
        open(tmp_path / "lock", "w") as lock,
        pytest.raises(SetUpError, match="could not install"),
    ):
        installer.install(python, tmp_path / "target", [], lock.fileno())
    assert "no such wheel" in capfd.readouterr().err


# What is trusted ------------------------------------------------------------------------------


@pytest.fixture
def installed(monkeypatch):
    """Take pip's place; collects the names of the requirement files of each installation."""
    installations = []

    def install(_python, target, requirements, _lock):
        assert target.exists()
        installations.append([file.name for file in requirements])

    monkeypatch.setattr(environment, "install", install)
    monkeypatch.setattr(environment, "require_pip", lambda _python: None)
    return installations


@pytest.fixture
def files(tmp_path):
    pair = (tmp_path / "runtime.txt", tmp_path / "tests.txt")
    for file in pair:
        file.write_text("flask==3\n")
    return pair


@pytest.fixture
def runtime(tmp_path, files):
    return Environment(tmp_path / ".venv", files[:1])


@pytest.fixture
def development(tmp_path, files):
    return Environment(tmp_path / ".venv", files)


def leave_a_trace(of):
    trace = of.path / "trace"
    trace.touch()
    return trace


def test_a_set_up_runs_once(runtime, installed):
    runtime.prepare()
    runtime.prepare()
    assert installed == [["runtime.txt"]]
    assert runtime.python.exists()


def test_what_tests_can_also_serve(development, runtime, installed):
    development.prepare()
    runtime.prepare()
    assert installed == [["runtime.txt", "tests.txt"]]


def test_what_serves_is_added_to_for_the_tests(development, runtime, installed):
    runtime.prepare()
    trace = leave_a_trace(of=runtime)
    development.prepare()
    assert installed == [["runtime.txt"], ["tests.txt"]]
    assert trace.exists()


def test_changed_requirements_are_installed_from_scratch(development, files, installed):
    development.prepare()
    trace = leave_a_trace(of=development)
    files[1].write_text("flask==4\n")
    development.prepare()
    assert installed == [["runtime.txt", "tests.txt"]] * 2
    assert not trace.exists()


def test_changed_test_requirements_do_not_keep_from_serving(development, runtime, files, installed):
    development.prepare()
    files[1].write_text("flask==4\n")
    runtime.prepare()
    assert len(installed) == 1


def test_another_python_sets_up_from_scratch(runtime, installed, monkeypatch):
    runtime.prepare()
    trace = leave_a_trace(of=runtime)
    monkeypatch.setattr(sys, "version", "3.12.99 (another one)")
    runtime.prepare()
    assert len(installed) == 2
    assert not trace.exists()


def test_an_environment_whose_python_is_gone_is_set_up_from_scratch(runtime, installed):
    runtime.prepare()
    runtime.python.unlink()
    runtime.prepare()
    assert len(installed) == 2
    assert runtime.python.exists()


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.mark.parametrize("earlier", ["nothing", "runtime"])
def test_an_interrupted_set_up_is_done_again_from_scratch(
    earlier, development, runtime, installed, monkeypatch
):
    if earlier == "runtime":
        runtime.prepare()
        installed.clear()
    with monkeypatch.context() as context:
        context.setattr(environment, "install", interrupt)
        with pytest.raises(KeyboardInterrupt):
            development.prepare()
    trace = leave_a_trace(of=development)
    development.prepare()
    assert installed == [["runtime.txt", "tests.txt"]]
    assert not trace.exists()


def test_two_set_ups_at_once_install_once(runtime, installed, monkeypatch, capfd):
    install = environment.install
    waiting = "Waiting for another set-up"
    heard = ""

    def install_until_the_other_waits(*arguments):
        nonlocal heard
        deadline = time.monotonic() + 10
        while waiting not in heard and time.monotonic() < deadline:
            heard += capfd.readouterr().err
            time.sleep(0.01)
        install(*arguments)

    monkeypatch.setattr(environment, "install", install_until_the_other_waits)
    both = [threading.Thread(target=runtime.prepare) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    assert waiting in heard
    assert installed == [["runtime.txt"]]


# What is started ------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Set nothing up and become nothing; collects the command, its folder and environment."""
    calls = []

    def execve(path, arguments, environ):
        calls.append(([str(path), *arguments[1:]], Path.cwd(), environ))

    monkeypatch.setattr(Environment, "prepare", lambda _self: None)
    monkeypatch.setattr(os, "execve", execve)
    monkeypatch.setattr(commands.signal, "signal", lambda *_: None)
    monkeypatch.chdir(tmp_path)
    return calls


def test_serve_becomes_gunicorn_at_the_root(started):
    commands.main(["serve", "--port", "9000"], (3, 11))
    [(command, folder, environ)] = started
    assert command == [
        str(ROOT / ".venv" / "bin" / "python"),
        *("-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "service.app:create_app()"),
    ]
    assert folder == ROOT
    assert environ["PORT"] == "9000"


def test_test_hands_every_argument_to_pytest(started):
    commands.main(["test", "-k", "brawl", "--help"], (3, 11))
    [(command, folder, _)] = started
    assert command[1:] == ["-m", "pytest", "-k", "brawl", "--help"]
    assert folder == ROOT


def test_run_stays_where_it_is_and_can_import_the_service(started, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    commands.main(["run", "tool.py", "-x"], (3, 11))
    [(command, folder, environ)] = started
    assert command[1:] == ["tool.py", "-x"]
    assert folder == tmp_path
    assert environ["PYTHONPATH"] == f"{ROOT}{os.pathsep}/elsewhere"


def test_a_set_up_that_fails_is_a_sentence_and_exit_code_one(monkeypatch, capsys, started):
    def fail(_self):
        raise SetUpError("there is no pip.")

    monkeypatch.setattr(Environment, "prepare", fail)
    assert commands.main(["test"], (3, 11)) == 1
    assert capsys.readouterr().err == "dev.py: there is no pip.\n"
    assert started == []


@pytest.mark.parametrize(
    ("arguments", "environ", "bind"),
    [
        ([], {}, "127.0.0.1:8000"),
        ([], {"PORT": "", "HOST": ""}, "127.0.0.1:8000"),
        ([], {"PORT": "8001"}, "127.0.0.1:8001"),
        (["--port", "9000"], {"PORT": "8001"}, "127.0.0.1:9000"),
        ([], {"HOST": "0.0.0.0"}, "0.0.0.0:8000"),
        (["--host", "::1"], {"HOST": "0.0.0.0"}, "[::1]:8000"),
    ],
)
def test_a_flag_beats_the_environment_which_beats_the_default(
    arguments, environ, bind, monkeypatch
):
    assert gunicorn_settings(monkeypatch, commands.serving_environ(arguments, environ))[
        "bind"
    ].value == [bind]


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [(["--port", "http"], {}), (["--port", "65536"], {}), ([], {"PORT": "http"})],
)
def test_a_port_that_is_none_is_refused_before_any_set_up(arguments, environ, capsys):
    with pytest.raises(SystemExit) as refusal:
        commands.serving_environ(arguments, environ)
    assert refusal.value.code == 2
    assert "--port" in capsys.readouterr().err


# How gunicorn serves --------------------------------------------------------------------------


def gunicorn_settings(monkeypatch, environ):
    """Gunicorn's settings, as it checked them, after reading the configuration."""
    for name in ("HOST", "PORT", "METRICS_PORT", "WEB_CONCURRENCY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    config = Config()
    for name, value in runpy.run_path(str(ROOT / "deploy" / "gunicorn.conf.py")).items():
        if name in config.settings:
            config.set(name, value)
    return config.settings


def test_workers_are_the_usable_cores_but_at_most_four(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: {0, 1, 2}, raising=False)
    assert gunicorn_settings(monkeypatch, {})["workers"].value == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(64)), raising=False)
    assert gunicorn_settings(monkeypatch, {})["workers"].value == 4
    assert gunicorn_settings(monkeypatch, {"WEB_CONCURRENCY": "6"})["workers"].value == 6


def test_metrics_have_a_port_of_their_own_if_they_are_given_one(monkeypatch, tmp_path):
    # Where workers count together would else be made, and left, by reading the settings.
    where = {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for given in ({}, {"METRICS_PORT": ""}, {"METRICS_PORT": "0"}):
        assert gunicorn_settings(monkeypatch, where | given)["bind"].value == ["127.0.0.1:8000"]
    both = gunicorn_settings(monkeypatch, where | {"METRICS_PORT": "9100"})["bind"].value
    assert both == ["127.0.0.1:8000", "127.0.0.1:9100"]


def test_every_gunicorn_setting_is_one_that_gunicorn_knows(monkeypatch):
    settings = gunicorn_settings(monkeypatch, {})
    written = re.findall(
        r"^ {0,4}([a-z]\w+) = ", (ROOT / "deploy" / "gunicorn.conf.py").read_text(), re.MULTILINE
    )
    assert {"bind", "workers", "threads", "preload_app"} <= set(written)
    assert set(written) <= set(settings)


# The lock files -------------------------------------------------------------------------------


def pins(lock_file):
    """Every requirement of a lock file, a line each, by its name."""
    joined = lock_file.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in joined.splitlines() if line and not line.lstrip().startswith("#")]
    return {re.split(r"[=<>!~; \[]", line)[0]: line for line in lines}


@pytest.mark.parametrize("lock_file", LOCK_FILES, ids=lambda file: file.parent.name)
class TestLockFile:
    def test_every_requirement_is_pinned_and_has_hashes(self, lock_file):
        assert pins(lock_file)
        for line in pins(lock_file).values():
            assert re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", line), line

    def test_it_pins_what_was_asked_for(self, lock_file):
        asked = re.findall(r"^[\w-]+", lock_file.with_suffix(".in").read_text(), re.MULTILINE)
        assert {name.lower() for name in asked} <= set(pins(lock_file))

    def test_it_names_the_command_that_writes_it_and_no_machine(self, lock_file):
        text = lock_file.read_text(encoding="utf-8")
        assert "python3 scripts/dev.py lock" in text
        assert not re.search(r"https?:|file:|index-url|find-links|(?<!\S)/", text)


def test_tests_and_service_agree_on_every_shared_pin():
    runtime, tests = pins(LOCK_FILES[0]), pins(LOCK_FILES[1])
    shared = runtime.keys() & tests.keys()
    assert "werkzeug" in shared
    assert {name: runtime[name] for name in shared} == {name: tests[name] for name in shared}
