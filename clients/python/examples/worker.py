import os
import signal

from delayjob import DelayJobClient, Worker, duration

client = DelayJobClient(os.environ.get("DELAYJOB_URL", "http://localhost:8080"), os.environ["DELAYJOB_TOKEN"])


def greet(job, attempt):
    print("hello", job["param"]["name"], flush=True)


client.submit("greetings", {"topic": "greet", "param": {"name": "Ann"}, "delay": duration(1)})

worker = Worker(client, ["greetings"], {"greet": greet})
signal.signal(signal.SIGTERM, lambda *_: worker.stop())
signal.signal(signal.SIGINT, lambda *_: worker.stop())
worker.run()
