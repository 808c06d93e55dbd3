"""Does what the lines of the standard input say, and tells what happens in lines of JSON: see Driver.java."""

import json
import os
import sys
import threading

from delayjob import DelayJobClient, Worker

told = threading.Lock()


def tell(event):
    with told:
        print(json.dumps(event), flush=True)


def greet(job, attempt):
    tell({"event": "ran", "id": job["id"], "attempt": job["attempt"], "param": job["param"]})


def hold(job, attempt):
    tell({"event": "began", "id": job["id"], "attempt": job["attempt"]})
    aborted = attempt.ended.wait(job["param"] / 1000)
    tell({"event": "ended", "id": job["id"], "aborted": aborted})
    if aborted:
        raise InterruptedError


class Commands:
    def connect(self, url, token, timeoutMs):
        self.client = DelayJobClient(url, token, timeout=timeoutMs / 1000)
        return {}

    def submit(self, queue, job):
        return self.client.submit(queue, job)

    def find(self, queue, id):
        return {"job": self.client.find(queue, id)}

    def cancel(self, queue, id):
        return self.client.cancel(queue, id)

    def work(self, queue, concurrency, waitMs, graceMs):
        self.worker = Worker(
            self.client, [queue], {"greet": greet, "hold": hold}, concurrency=concurrency, claims=1,
            wait=waitMs / 1000, grace=graceMs / 1000,
            on_problem=lambda problem: tell({"event": "problem", "error": str(problem)}))
        self.worker.run()
        return {}

    def stop(self):
        self.worker.stop()
        return {}


def obey(commands, name, **arguments):
    try:
        tell({"event": name, **getattr(commands, name)(**arguments)})
    except Exception as error:
        tell({"event": name, "error": str(error)})


commands = Commands()
for line in sys.stdin:
    command = json.loads(line)
    name = command.pop("do")
    thread = threading.Thread(target=obey, args=(commands, name), kwargs=command, daemon=True)
    thread.start()
    if name != "work":
        thread.join()
os._exit(0)
