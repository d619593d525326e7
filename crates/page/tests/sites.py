#!/usr/bin/env python3
"""Runs sites.mjs with a server on this machine."""

import subprocess
import sys
from pathlib import Path

from server import Sites

script = Path(__file__).with_name("sites.mjs")
sys.exit(subprocess.run(["node", str(script), Sites().address], check=False).returncode)
