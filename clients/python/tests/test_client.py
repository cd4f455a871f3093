"""The client against a server: CAIRN_URL and CAIRN_KEY. Run by test/client/python.test.ts of the project."""

import datetime
import http.server
import json
import os
import random
import socket
import tempfile
import threading
import time
import unittest
from pathlib import Path

import httpx

from cairn_client import (
    Client,
    ConflictError,
    InvalidDataError,
    InvalidRequestError,
    NotFoundError,
    ProtocolError,
    Tokens,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
    frames,
)

URL = os.environ["CAIRN_URL"]
KEY = os.environ["CAIRN_KEY"]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Relay(http.server.BaseHTTPRequestHandler):
    """Passes requests on, but for the planned faults: `cut` or a status with headers."""

    plan = []
    seen = []
    protocol_version = "HTTP/1.1"

    def _pass(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        Relay.seen.append((self.command, self.path, len(body)))
        fault = Relay.plan.pop(0) if Relay.plan else None
        if fault == "cut before":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("host", "content-length")}
        if isinstance(fault, tuple):
            status, extra = fault
            self.send_response(status)
            for name, value in extra.items():
                self.send_header(name, value)
            self.send_header("content-length", "0")
            self.end_headers()
            return
        answer = httpx.request(self.command, URL + self.path, content=body, headers=headers)
        content = answer.content
        if fault == "half":
            content = content[: len(content) // 2]
        self.send_response(answer.status_code)
        for name, value in answer.headers.items():
            if name.lower() not in (
                "content-length",
                "connection",
                "date",
                "transfer-encoding",
                "content-encoding",
            ):
                self.send_header(name, value)
        length = answer.headers.get("content-length", "0") if self.command == "HEAD" else len(answer.content)
        self.send_header("content-length", str(length))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        if fault == "half":
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = _pass

    def log_message(self, *_):
        """Says nothing."""


class Faulty:
    def __enter__(self):
        Relay.plan, Relay.seen = [], []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Cutting:
    """Passes bytes on, and cuts each of the first two connections when these bytes have come back."""

    def __init__(self, after):
        self.after = after
        self.connections = 0
        self.cuts = 2

    def __enter__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:  # closed
                return
            self.connections += 1
            host, port = URL.rpartition("/")[2].split(":")
            far = socket.create_connection((host, int(port)))
            threading.Thread(target=self._pump, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pump, args=(far, near, True), daemon=True).start()

    def _pump(self, source, target, is_answer):
        seen = b""
        try:
            while data := source.recv(65536):
                before = len(seen)
                seen += data
                if is_answer and self.cuts > 0 and self.after in seen:
                    self.cuts -= 1
                    target.sendall(seen[before : seen.index(self.after) + 1])
                    break
                target.sendall(data)
        except OSError:
            pass  # the other direction has closed it
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # closed already


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(URL, KEY)
        cls.client.register_schema(
            {
                "name": "PyThing",
                "version": "1",
                "fields": [
                    {"name": "name", "field_type": "string"},
                    {"name": "n", "field_type": "int"},
                    {"name": "x", "field_type": "float"},
                    {"name": "ok", "field_type": "bool"},
                    {"name": "at", "field_type": "datetime"},
                    {"name": "day", "field_type": "date"},
                    {"name": "tags", "field_type": "string", "many": True},
                    {"name": "extra", "field_type": "json"},
                    {"name": "version", "field_type": "string"},
                ],
            }
        )
        cls.client.register_schema(
            {"name": "PyFile", "version": "1", "fields": [{"name": "uri", "field_type": "uri"}]}
        )

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def test_a_credential_is_in_no_error_and_no_text(self):
        wrong = self.connect(URL, "sk_wrong_0123456789")
        with self.assertRaises(UnauthorizedError) as caught:
            wrong.get("x")
        self.assertNotIn("sk_wrong", repr(caught.exception) + repr(wrong) + str(vars(caught.exception)))
        self.assertNotIn("secret", repr(Tokens(URL, "secret", "secret", 0.0)))

    def test_another_server_is_no_answer_of_cairn(self):
        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(404)
                self.end_headers()
                self.wfile.write(b"<h1>no</h1>")

            def log_message(self, *_):
                """Says nothing."""

        server = http.server.HTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with self.assertRaises(ProtocolError):
            self.connect(f"http://127.0.0.1:{server.server_port}", KEY).get("x")
        server.shutdown()
        server.server_close()

    def test_nobody_listens(self):
        with self.assertRaises(UnavailableError) as caught:
            self.connect(f"http://127.0.0.1:{free_port()}", KEY, retries=1).get("x")
        self.assertEqual(caught.exception.reached, "no")

    def test_reads_are_repeated_and_writes_that_may_have_been_made_are_not(self):
        with Faulty() as faulty:
            client = self.connect(faulty.url)
            self.client.ingest("PyThing", {"name": "r"}, id="retried")
            Relay.plan = ["cut before", (503, {"retry-after": "0"})]
            self.assertEqual(client.get("retried")["data"]["name"], "r")
            self.assertEqual(len(Relay.seen), 3)
            Relay.seen.clear()
            Relay.plan = ["cut before"]
            with self.assertRaises(UnavailableError) as caught:
                client.relate("retried", "retried", "same")
            self.assertEqual((caught.exception.reached, len(Relay.seen)), ("unknown", 1))
            Relay.plan = [(503, {"retry-after": "0"}), (429, {"retry-after": "0"})]
            self.assertEqual(client.ingest("PyThing", {"name": "s"}, id="retried")["version"], 2)

    def test_many_rows_in_several_requests_with_an_outcome_each(self):
        rows = [{"id": f"many:{i}", "n": i if i % 1000 else "none"} for i in range(4500)]
        told = []
        report = self.client.ingest_all(iter(rows), "PyThing", on_progress=lambda now: told.append(now.rows))
        self.assertEqual((report.created, report.failed, report.rows), (4495, 5, 4500))
        self.assertEqual([failure["row"] for failure in report.failures], [0, 1000, 2000, 3000, 4000])
        self.assertEqual(told, [2000, 4000, 4500])
        with self.assertRaises(ValidationError):
            report.raise_for_failures()
        self.assertEqual(self.client.query("PyThing", filter='id.startsWith("many:")').count(), 4495)
        seen = [one["id"] for one in self.client.query("PyThing", filter='id.startsWith("many:")', limit=450)]
        self.assertEqual((len(seen), len(set(seen))), (450, 450))

    def test_all_or_nothing_and_dry_runs_write_nothing(self):
        rows = [{"id": "none:1", "n": 1}, {"id": "none:2", "n": "x"}]
        self.assertEqual(self.client.ingest_all(rows, "PyThing", all_or_nothing=True).failed, 1)
        self.assertEqual(self.client.ingest_all(rows, "PyThing", dry_run=True).created, 1)
        with self.assertRaises(NotFoundError):
            self.client.get("none:1")

    def test_values_that_json_would_change_are_refused_before_anything_is_sent(self):
        for value in (float("inf"), datetime.datetime(2026, 1, 1), b"x", {1, 2}, object()):
            with self.assertRaisesRegex(InvalidDataError, "row 1: extra"):
                self.client.ingest_all([{"id": "bad:0"}, {"id": "bad:1", "extra": value}], "PyThing")
        with self.assertRaises(NotFoundError):
            self.client.get("bad:0")
        with self.assertRaises(InvalidDataError):
            self.client.query("PyThing", as_of=datetime.datetime(2026, 1, 1)).first()

    def test_hostile_ids_and_texts_stay_themselves(self):
        for name in ("a+b&c=d", "ä%2F?#", "x" * 200, "';--", "{}", "é\u0301"):
            self.client.ingest("PyThing", {"name": name}, id=name)
            self.assertEqual(self.client.get(name)["data"]["name"], name)
            found = [one["id"] for one in self.client.query("PyThing", {"name": name})]
            self.assertEqual(found, [name])

    def test_a_frame_comes_back_as_it_was_sent(self):
        pandas = self.needs("pandas")
        chance = random.Random(7)
        pick = lambda *values: [chance.choice([*values, None]) for _ in range(40)]
        sent = pandas.DataFrame(
            {
                "id": [f"frame:{i:02}" for i in range(40)],
                "name": pick("a", "", "ü", "=1+1"),
                "n": pandas.array(pick(0, -5, 2**53 - 1), dtype="Int64"),
                "x": pandas.array(pick(0.5, -1e300, 3.0), dtype="Float64"),
                "ok": pandas.array(pick(True, False), dtype="boolean"),
                "at": pandas.to_datetime(
                    pandas.Series(pick("2026-01-31T09:30:00.123456Z", "1969-07-20T20:17:00.000000Z")),
                    utc=True,
                ),
                "day": pandas.Series(pick(datetime.date(2026, 1, 31)), dtype="object"),
                "tags": pandas.Series(pick(["x", "y"], ["z"]), dtype="object"),
                "extra": pandas.Series(pick({"a": [1, None]}, "text", 5, [True]), dtype="object"),
                "data.version": pick("v1"),
            }
        )
        self.assertEqual(self.client.ingest_all(sent, "PyThing").failed, 0)
        query = self.client.query("PyThing", filter='id.startsWith("frame:")', order_by="id")
        came = query.to_pandas()
        for name in sent.columns:
            left = [None if frames.is_missing(cell) else cell for cell in sent[name]]
            right = [None if frames.is_missing(cell) else cell for cell in came[name]]
            self.assertEqual(left, right, name)
        self.assertEqual(self.client.ingest_all(came, "PyThing").unchanged, 40)
        if frames.has_pyarrow():
            with_arrow, frames.has_pyarrow = frames.has_pyarrow, lambda: False
            try:
                pandas.testing.assert_frame_equal(query.to_pandas(), came)
            finally:
                frames.has_pyarrow = with_arrow

    def test_a_time_that_nanoseconds_cannot_say_is_a_datetime(self):
        self.needs("pandas")
        never = datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=datetime.timezone.utc)
        rows = [{"id": "far:1", "at": never}, {"id": "far:2"}, {"id": "far:3", "at": "2026-01-31T09:30:00Z"}]
        self.assertEqual(self.client.ingest_all(rows, "PyThing").failed, 0)
        frame = self.client.query("PyThing", filter='id.startsWith("far:")', order_by="id").to_pandas()
        self.assertEqual(list(frame["at"])[:2], [never, None])
        self.assertEqual(frame["at"][2].isoformat(), "2026-01-31T09:30:00+00:00")
        self.assertEqual(str(frame["created_at"].dtype), "datetime64[ns, UTC]")
        self.assertEqual(self.client.ingest_all(frame, "PyThing").unchanged, 3)

    def test_references_are_columns(self):
        pandas = self.needs("pandas")
        for name, fields in (
            ("PyDonor", [{"name": "age", "field_type": "int"}, {"name": "born", "field_type": "date"}]),
            ("PyVial", [{"name": "donor", "field_type": "ref", "references": "PyDonor"}]),
        ):
            self.client.register_schema({"name": name, "version": "1", "fields": fields})
        self.client.ingest("PyDonor", {"age": 31, "born": "2001-02-03"}, id="py-donor")
        self.assertEqual(self.client.ingest_all([{"id": "v1", "donor": "py-donor"}, {"id": "v2"}], "PyVial").failed, 0)
        query = self.client.query("PyVial", order_by="id", expand=["donor"])
        self.assertEqual([vial["expanded"].get("donor") is None for vial in query], [False, True])
        frame = query.to_pandas()
        self.assertEqual(list(frame.columns[6:]), ["donor", "donor.age", "donor.born"])
        self.assertEqual(str(frame["donor.age"].dtype), "Int64")
        self.assertEqual(frame["donor.born"][0], datetime.date(2001, 2, 3))
        self.assertTrue(pandas.isna(frame["donor.age"][1]) and frame["donor.born"][1] is None)
        if frames.has_pyarrow():
            with_arrow, frames.has_pyarrow = frames.has_pyarrow, lambda: False
            try:
                pandas.testing.assert_frame_equal(query.to_pandas(), frame)
            finally:
                frames.has_pyarrow = with_arrow

    def test_polars_and_arrow(self):
        self.needs("pyarrow")
        polars = self.needs("polars")
        sent = polars.DataFrame({"id": ["polars:1", "polars:2"], "n": [1, None], "tags": [["a"], None]})
        self.assertEqual(self.client.ingest_all(sent, "PyThing").created, 2)
        query = self.client.query("PyThing", filter='id.startsWith("polars:")', order_by="id")
        self.assertEqual(query.to_polars()["n"].to_list(), [1, None])
        self.assertEqual(self.client.ingest_all(query.to_arrow(), "PyThing").unchanged, 2)
        extras = [{"a": [1, None]}, "text", "[", 5, [True], '"quoted"']
        rows = [{"id": f"polars:extra{i}", "extra": extra} for i, extra in enumerate(extras)]
        self.assertEqual(self.client.ingest_all(rows, "PyThing").failed, 0)
        query = self.client.query("PyThing", filter='id.startsWith("polars:extra")', order_by="id")
        for frame in (query.to_polars(), query.to_arrow()):
            self.assertEqual(self.client.ingest_all(frame, "PyThing").unchanged, len(extras))
        own = polars.DataFrame({"id": ["polars:own"], "extra": ["NaN"]})
        self.assertEqual(self.client.ingest_all(own, "PyThing").failed, 0)
        self.assertEqual(self.client.get("polars:own")["data"]["extra"], "NaN")

    def test_a_frame_of_nothing_has_its_columns(self):
        self.needs("pandas")
        frame = self.client.query("PyThing", {"name": "nobody has this"}).to_pandas()
        self.assertEqual((len(frame), list(frame.columns)[-1]), (0, "data.version"))

    def test_transfers_go_on_where_a_connection_broke(self):
        with Faulty() as faulty, tempfile.TemporaryDirectory() as folder:
            client = self.connect(faulty.url)
            content = random.Random(1).randbytes(3_000_000)
            source, target = Path(folder, "up.bin"), Path(folder, "down.bin")
            source.write_bytes(content)
            client.create("PyFile", {}, id="file:1")
            Relay.plan = [None, None, "cut before"]  # the list of uploads, the new one, its content
            told = []
            hash = client.files.upload(
                source, entity_id="file:1", field="uri", on_progress=lambda *now: told.append(now)
            )
            self.assertEqual(told[-1], (3_000_000, 3_000_000))
            Relay.seen.clear()
            Relay.plan = [None, "half"]  # HEAD, the content
            self.assertEqual(client.files.download(target, entity_id="file:1"), hash)
            self.assertEqual(target.read_bytes(), content)
            self.assertEqual([method for method, *_ in Relay.seen], ["HEAD", "GET", "GET"])
            self.assertEqual(sorted(os.listdir(folder)), ["down.bin", "up.bin"])
            self.assertIn(hash, [one["file"]["hash"] for one in client.files.list()])

    def test_a_file_is_read_as_of_a_time(self):
        self.client.create("PyFile", {}, id="file:past")
        with tempfile.TemporaryDirectory() as folder:
            times = []
            for text in ("before", "after"):
                Path(folder, text).write_text(text)
                self.client.files.upload(Path(folder, text), entity_id="file:past", field="uri")
                times.append(self.client.get("file:past")["updated_at"])
            read = [self.client.files.read(entity_id="file:past", as_of=time) for time in times]
            self.assertEqual(read, [b"before", b"after"])
            with self.assertRaises(ValueError):
                self.client.files.read(hash="0" * 64, as_of=times[0])

    def test_an_empty_file_and_one_that_is_not_there(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "empty").write_bytes(b"")
            hash = self.client.files.upload(Path(folder, "empty"))
            self.assertEqual(self.client.files.download(Path(folder, "copy"), hash=hash), hash)
            with self.assertRaises(NotFoundError):
                self.client.files.download(Path(folder, "none"), hash="0" * 64)
            self.assertEqual(sorted(os.listdir(folder)), ["copy", "empty"])

    def test_the_feed_goes_on_after_a_lost_connection(self):
        token = self.client.event_token()
        id = f"fed:{time.time_ns()}"
        for i in range(3):
            self.client.ingest("PyThing", {"n": i}, id=id)
        with Cutting(after=b'"EntityUpdated"') as cutting:
            client = self.connect(cutting.url)
            seen = []
            for item in client.events(after=token, entity_types=["PyThing"], filter=f'entity_id == "{id}"'):
                seen.append(item.event["event_type"])
                if len(seen) == 3:
                    break
            self.assertEqual(seen, ["EntityCreated", "EntityUpdated", "EntityUpdated"])
            self.assertGreater(cutting.connections, 1)

    def test_a_feed_from_a_place_that_is_none_is_refused(self):
        with self.assertRaises(InvalidRequestError) as caught:
            next(self.client.events(after="no token"))
        self.assertEqual(caught.exception.code, "invalid_request")

    def test_two_threads_share_a_client(self):
        done = []

        def write(worker):
            for i in range(20):
                self.client.ingest("PyThing", {"n": i}, id=f"thread:{worker}:{i}")
            done.append(worker)

        threads = [threading.Thread(target=write, args=(worker,)) for worker in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(done), [0, 1, 2, 3])

    def test_a_taken_id_is_a_conflict(self):
        self.client.ingest("PyThing", {}, id="taken")
        with self.assertRaises(ConflictError):
            self.client.create("PyThing", {}, id="taken")

    def test_expired_tokens_are_renewed_once_however_many_threads_ask(self):
        renewals = []

        class Endpoint(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"])).decode()
                renewals.append(body)
                time.sleep(0.2)
                answer = json.dumps(
                    {"access_token": "new", "expires_in": 900, "refresh_token": "rt_2"}
                ).encode()
                self.send_response(200)
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_GET(self):
                self.send_response(200 if self.headers["authorization"] == "Bearer new" else 401)
                self.send_header("content-type", "application/json")
                answer = b'{"data": {"id": "x"}, "error": null, "meta": {}}'
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                """Says nothing."""

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        kept = []
        client = self.connect(url, Tokens(url, "old", "rt_1", 0.0), on_renewed=kept.append)
        threads = [threading.Thread(target=client.get, args=("x",)) for _ in range(5)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(renewals), 1)
        self.assertIn("rt_1", renewals[0])
        self.assertEqual([one.refresh_token for one in kept], ["rt_2"])
        server.shutdown()
        server.server_close()

    def connect(self, url, credential=KEY, **options):
        client = Client(url, credential, **options)
        self.addCleanup(client.close)
        return client

    def needs(self, name):
        try:
            return __import__(name)
        except ImportError:
            self.skipTest(f"{name} is not installed")


if __name__ == "__main__":
    unittest.main()
