"""Every example in a docstring or the README runs as printed."""

import doctest
import inspect
import pathlib

import numpy as np
import pytest

import noughts
import noughts.envs
import noughts.envs.aec
import noughts.envs.observation
import noughts.envs.opponent

README = pathlib.Path(__file__).parent.parent / "README.md"
MODULES = [noughts, noughts.envs.aec, noughts.envs.observation, noughts.envs.opponent]


def documented():
    """All docstrings by name: of the modules, and of what they define with its members."""
    for module in MODULES:
        yield module.__name__, module.__doc__
        for name, value in vars(module).items():
            if getattr(value, "__module__", None) not in (module.__name__, "noughts._noughts"):
                continue
            yield f"{module.__name__}.{name}", value.__doc__
            if inspect.isclass(value):
                for member, method in vars(value).items():
                    yield f"{module.__name__}.{name}.{member}", getattr(method, "__doc__", None)


def examples():
    parser = doctest.DocTestParser()
    for name, text in documented():
        test = parser.get_doctest(text or "", {"noughts": noughts, "np": np}, name, None, 0)
        if test.examples:
            yield pytest.param(test, id=name)


@pytest.mark.parametrize("test", list(examples()))
def test_docstring(test):
    report = []
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_readme():
    report = []
    test = doctest.DocTestParser().get_doctest(README.read_text(), {}, "README", None, 0)
    assert len(test.examples) > 10
    doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert not report, "".join(report)


def test_every_public_name_has_a_docstring():
    undocumented = [name for name in noughts.__all__ if not getattr(noughts, name).__doc__]
    assert undocumented == []
    for name in noughts.__all__:
        value = getattr(noughts, name)
        if inspect.isclass(value):
            members = [m for m in vars(value) if not m.startswith("_")]
            undocumented += [f"{name}.{m}" for m in members if not getattr(value, m).__doc__]
    assert undocumented == []
