"""python-chess's own tests pass on `skewer.chess`, except the tests that are listed with a reason."""

from pathlib import Path

import pytest
import suite

LISTED = Path(__file__).with_name("suite_failures.txt")


def listed():
    """The reasons by test."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    rows = (line.split(None, 1) for line in lines if line and not line.startswith("#"))
    return {test: reason for test, reason in rows}


@pytest.mark.xdist_group("suite")
def test_the_suite_of_python_chess():
    outcomes = suite.run()
    assert len(outcomes) == 289
    failed = {test: outcome for test, outcome in outcomes.items() if outcome != "passed"}
    reasons = listed()
    assert {test: failed[test] for test in failed.keys() - reasons.keys()} == {}
    # Tests that need another engine pass where it is installed.
    passed = {test for test in reasons.keys() - failed.keys() if "needs" not in reasons[test]}
    assert passed == set(), "these pass now: take them off the list"
