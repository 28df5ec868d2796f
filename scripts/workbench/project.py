"""Where things are, and the environments the project knows."""

from pathlib import Path

from workbench.environment import Environment

ROOT = Path(__file__).resolve().parents[2]

RUNTIME_REQUIREMENTS = ROOT / "deploy" / "requirements.txt"
TEST_REQUIREMENTS = ROOT / "tests" / "requirements.txt"
TOOL_REQUIREMENTS = ROOT / "scripts" / "requirements.txt"

# One folder in two degrees: what serves is a part of what tests.
RUNTIME = Environment(ROOT / ".venv", (RUNTIME_REQUIREMENTS,))
DEVELOPMENT = Environment(ROOT / ".venv", (RUNTIME_REQUIREMENTS, TEST_REQUIREMENTS))

# The locker stays apart: it is not needed to run, test or judge the code.
TOOLS = Environment(ROOT / ".venv-uv", (TOOL_REQUIREMENTS,))
