"""cwltool, without what it does alike at each start: it parses the schemas of CWL for half a second, and imports all of
itself to say which version it is. Made executable by test/testkit/quick-cwltool.ts, which replaces INSTALLED and VERSION."""

import sys

if sys.argv[1:] == ["--version"]:
    print("VERSION")
    sys.exit(0)

import hashlib
import io
import os
import pickle

import ruamel.yaml.main as yaml
from cwltool.main import run
from cwltool.process import get_schema

KEPT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "schemas")
SCHEMAS = "https://w3id.org/cwl/"
load_all = yaml.YAML.load_all


def load_kept(self, stream):
    name = getattr(stream, "name", "")
    if not isinstance(stream, io.StringIO) or not name.startswith(SCHEMAS):
        yield from load_all(self, stream)
        return
    key = hashlib.sha256(f"{name} {stream.getvalue()}".encode()).hexdigest()
    file = os.path.join(KEPT, key)
    if os.path.exists(file):
        with open(file, "rb") as opened:
            yield from pickle.load(opened)
        return
    documents = list(load_all(self, stream))
    if keeps:
        with open(f"{file}.new", "wb") as opened:
            pickle.dump(documents, opened, pickle.HIGHEST_PROTOCOL)
        os.chmod(f"{file}.new", 0o644)  # tools have an account of their own
        os.rename(f"{file}.new", file)
    yield from documents


yaml.YAML.load_all = load_kept
try:
    os.mkdir(KEPT)
    os.chmod(KEPT, 0o755)
    keeps = True  # the first start of a run: no other one writes
except OSError:
    keeps = False
if keeps:
    for version in ["v1.0", "v1.1", "v1.2"]:
        get_schema(version)
sys.argv[0] = "INSTALLED"  # it is what the log names
sys.exit(run(sys.argv[1:]))
