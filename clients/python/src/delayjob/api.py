"""The types of docs/openapi.json, written by types_of_document.py: change that, not this."""

from typing import Any, Literal, NotRequired, TypedDict

ActionView = TypedDict("ActionView", {
    "done": bool,
    "id": str,
    "previous": NotRequired[Literal["DELAYED", "READY", "RESERVED", "COMPLETED", "DEAD", "CANCELLED"]],
})

ActionsBody = TypedDict("ActionsBody", {
    "action": Literal["cancel", "reschedule", "run-now", "redrive", "purge"],
    "delay": NotRequired[str],
    "ids": list[str],
})

ActionsView = TypedDict("ActionsView", {
    "results": list["ActionView"],
})

BackfillBody = TypedDict("BackfillBody", {
    "dryRun": NotRequired[bool],
    "from": str,
    "perSecond": NotRequired[int],
    "to": str,
})

BackfillView = TypedDict("BackfillView", {
    "first": NotRequired[str],
    "instants": int,
    "last": NotRequired[str],
    "stored": int,
})

Backoff = TypedDict("Backoff", {
    "initial": str,
    "jitter": float,
    "max": str,
    "multiplier": float,
})

BackoffBody = TypedDict("BackoffBody", {
    "initial": str,
    "jitter": NotRequired[float],
    "max": NotRequired[str],
    "multiplier": NotRequired[float],
})

BatchBody = TypedDict("BatchBody", {
    "jobs": list["JobBody"],
})

BatchView = TypedDict("BatchView", {
    "jobs": list["ResultView"],
})

ClaimBody = TypedDict("ClaimBody", {
    "claimId": NotRequired[str],
    "lease": NotRequired[str],
    "max": NotRequired[int],
    "queues": NotRequired[list[str]],
    "wait": NotRequired[str],
    "worker": NotRequired[str],
})

ClaimedJobView = TypedDict("ClaimedJobView", {
    "attempt": int,
    "backoff": NotRequired["Backoff"],
    "dedupe": NotRequired["Dedupe"],
    "dueAt": str,
    "handle": str,
    "headers": dict[str, str],
    "id": str,
    "key": NotRequired[str],
    "lease": NotRequired[str],
    "leaseEndsAt": str,
    "maxAttempts": NotRequired[int],
    "param": Any,
    "priority": NotRequired[int],
    "queue": str,
    "submittedAt": str,
    "tags": list[str],
    "timeToLive": NotRequired[str],
    "timeout": NotRequired[str],
    "topic": str,
})

ClaimedView = TypedDict("ClaimedView", {
    "jobs": list["ClaimedJobView"],
})

ClearBody = TypedDict("ClearBody", {
    "forGood": bool,
    "most": NotRequired[int],
    "queue": str,
})

ClearedView = TypedDict("ClearedView", {
    "cleared": int,
})

ClientBody = TypedDict("ClientBody", {
    "application": str,
    "path": NotRequired[str],
    "types": list[str],
    "url": str,
})

ClientView = TypedDict("ClientView", {
    "application": str,
    "path": str,
    "topics": list["TopicView"],
    "types": list[str],
    "url": str,
})

ClientsView = TypedDict("ClientsView", {
    "clients": list["ClientView"],
})

ConsumedView = TypedDict("ConsumedView", {
    "free": int,
    "queue": str,
    "topics": list[str],
    "workers": int,
})

Decision = TypedDict("Decision", {
    "id": NotRequired[str],
    "instant": str,
    "instants": int,
    "skipped": NotRequired[str],
})

Dedupe = TypedDict("Dedupe", {
    "key": str,
    "mode": Literal["KEEP_FIRST", "REPLACE", "POSTPONE"],
    "scope": Literal["UNTIL_STARTED", "UNTIL_FINISHED", "WINDOW"],
    "window": NotRequired[str],
})

DedupeBody = TypedDict("DedupeBody", {
    "key": str,
    "mode": NotRequired[Literal["KEEP_FIRST", "REPLACE", "POSTPONE"]],
    "scope": Literal["UNTIL_STARTED", "UNTIL_FINISHED", "WINDOW"],
    "window": NotRequired[str],
})

DiffView = TypedDict("DiffView", {
    "compared": int,
    "different": int,
    "journaled": int,
    "missingInJournal": int,
    "missingInRedis": int,
    "samples": list["DifferenceView"],
})

DifferenceView = TypedDict("DifferenceView", {
    "id": str,
    "journal": NotRequired[str],
    "queue": str,
    "redis": NotRequired[str],
})

EndedView = TypedDict("EndedView", {
    "examined": int,
    "jobs": list["JobView"],
    "next": NotRequired[str],
})

ExplanationView = TypedDict("ExplanationView", {
    "job": NotRequired["JobView"],
    "reason": Literal["NO_SUCH_JOB", "COMPLETED", "CANCELLED", "DEAD", "RUNNING", "LEASE_EXPIRED", "UNREADABLE", "NOT_DUE", "WAITING_FOR_RETRY", "PAUSED", "JOURNAL_FULL", "NO_CONSUMER", "NO_HANDLER", "LIMITED", "WORKERS_BUSY", "ABOUT_TO_RUN"],
    "text": str,
})

HeldKeyView = TypedDict("HeldKeyView", {
    "beginsAt": NotRequired[str],
    "dead": list[str],
    "holders": list[str],
    "key": str,
    "next": str,
    "paused": bool,
    "running": int,
    "since": str,
    "waiting": int,
})

HistoryView = TypedDict("HistoryView", {
    "steps": list["StepView"],
})

IndexedView = TypedDict("IndexedView", {
    "jobs": list["JobView"],
    "more": bool,
})

InstantView = TypedDict("InstantView", {
    "effect": Literal["NONE", "SHIFTED", "SKIPPED", "REPEATED"],
    "instant": str,
    "localTime": str,
})

JobBody = TypedDict("JobBody", {
    "backoff": NotRequired["BackoffBody"],
    "dedupe": NotRequired["DedupeBody"],
    "delay": NotRequired[str],
    "dueAt": NotRequired[str],
    "headers": NotRequired[dict[str, str]],
    "id": NotRequired[str],
    "key": NotRequired[str],
    "lease": NotRequired[str],
    "maxAttempts": NotRequired[int],
    "param": NotRequired[Any],
    "priority": NotRequired[int],
    "tags": NotRequired[list[str]],
    "timeToLive": NotRequired[str],
    "timeout": NotRequired[str],
    "topic": str,
})

JobView = TypedDict("JobView", {
    "attempt": int,
    "backoff": NotRequired["Backoff"],
    "dedupe": NotRequired["Dedupe"],
    "diedAt": NotRequired[str],
    "dueAt": NotRequired[str],
    "finishedAt": NotRequired[str],
    "headers": dict[str, str],
    "id": str,
    "key": NotRequired[str],
    "lastError": NotRequired[str],
    "lease": NotRequired[str],
    "leaseEndsAt": NotRequired[str],
    "maxAttempts": NotRequired[int],
    "node": NotRequired[str],
    "param": Any,
    "priority": NotRequired[int],
    "progress": NotRequired["Progress"],
    "queue": str,
    "result": NotRequired[Any],
    "startedAt": NotRequired[str],
    "state": Literal["DELAYED", "READY", "RESERVED", "COMPLETED", "DEAD", "CANCELLED"],
    "submittedAt": NotRequired[str],
    "tags": list[str],
    "timeToLive": NotRequired[str],
    "timeout": NotRequired[str],
    "topic": NotRequired[str],
})

KeyLimitsBody = TypedDict("KeyLimitsBody", {
    "concurrency": NotRequired[int],
    "order": NotRequired[Literal["SKIP", "STRICT", "STRICT_HOLD"]],
    "rate": NotRequired["RateBody"],
    "weight": NotRequired[int],
})

KeyView = TypedDict("KeyView", {
    "beginsAt": NotRequired[str],
    "dead": list[str],
    "dueAt": NotRequired[str],
    "holders": list[str],
    "key": str,
    "limits": "KeyLimitsBody",
    "next": NotRequired[str],
    "paused": bool,
    "running": int,
    "set": bool,
    "waiting": int,
})

LimitsBody = TypedDict("LimitsBody", {
    "concurrency": NotRequired[int],
    "perKey": NotRequired["KeyLimitsBody"],
    "rate": NotRequired["RateBody"],
})

LimitsView = TypedDict("LimitsView", {
    "concurrency": NotRequired[int],
    "configured": "LimitsBody",
    "heldKeys": int,
    "keyedJobs": int,
    "keys": dict[str, "KeyLimitsBody"],
    "limitedJobs": int,
    "longest": list["HeldKeyView"],
    "pausedKeys": list[str],
    "perKey": NotRequired["KeyLimitsBody"],
    "rate": NotRequired["RateBody"],
    "set": bool,
})

LoadView = TypedDict("LoadView", {
    "jobs": int,
    "jobsPerWorker": float,
    "overdueSeconds": float,
    "queue": str,
    "workers": int,
})

NodeView = TypedDict("NodeView", {
    "node": str,
    "queues": list["ConsumedView"],
})

NodesView = TypedDict("NodesView", {
    "next": NotRequired[str],
    "nodes": list["NodeView"],
})

PageView = TypedDict("PageView", {
    "jobs": list["JobView"],
    "next": NotRequired[str],
})

PreviewView = TypedDict("PreviewView", {
    "instants": list["InstantView"],
})

ProblemDetail = TypedDict("ProblemDetail", {
    "detail": str,
    "status": int,
    "title": str,
    "type": str,
})

Progress = TypedDict("Progress", {
    "percent": int,
    "text": str,
})

ProgressBody = TypedDict("ProgressBody", {
    "percent": int,
    "text": NotRequired[str],
})

PurgeBody = TypedDict("PurgeBody", {
    "limit": int,
    "olderThan": str,
})

PurgedView = TypedDict("PurgedView", {
    "purged": int,
})

QueueView = TypedDict("QueueView", {
    "dead": int,
    "delayed": int,
    "finished": int,
    "paused": bool,
    "queue": str,
    "ready": int,
    "reserved": int,
})

QueuesView = TypedDict("QueuesView", {
    "next": NotRequired[str],
    "queues": list["QueueView"],
})

RateBody = TypedDict("RateBody", {
    "burst": NotRequired[int],
    "per": str,
    "permits": int,
})

RedriveBody = TypedDict("RedriveBody", {
    "limit": int,
    "perSecond": NotRequired[int],
})

RedrivenView = TypedDict("RedrivenView", {
    "redriven": int,
})

RescheduleBody = TypedDict("RescheduleBody", {
    "delay": str,
})

RestoreBody = TypedDict("RestoreBody", {
    "dryRun": NotRequired[bool],
    "dueFrom": NotRequired[str],
    "dueTo": NotRequired[str],
    "finished": NotRequired[bool],
    "id": NotRequired[str],
    "overdue": NotRequired[bool],
    "perSecond": NotRequired[int],
    "queue": NotRequired[str],
})

RestoredView = TypedDict("RestoredView", {
    "examined": int,
    "finished": int,
    "journaled": int,
    "present": int,
    "restored": int,
    "skipped": int,
})

ResultView = TypedDict("ResultView", {
    "id": str,
    "outcome": Literal["STORED", "EXISTS", "KEPT", "REPLACED", "POSTPONED", "DEFERRED", "JOURNALED", "UNCONFIRMED"],
})

RotateBody = TypedDict("RotateBody", {
    "bytesPerSecond": NotRequired[int],
    "keep": NotRequired[str],
    "requestsPerSecond": NotRequired[int],
})

ScheduleBody = TypedDict("ScheduleBody", {
    "backoff": NotRequired["BackoffBody"],
    "catchUp": NotRequired[Literal["LAST", "NONE", "ALL"]],
    "cron": NotRequired[str],
    "every": NotRequired[str],
    "gap": NotRequired[Literal["SHIFT", "SKIP"]],
    "headers": NotRequired[dict[str, str]],
    "jitter": NotRequired[str],
    "key": NotRequired[str],
    "lease": NotRequired[str],
    "maxAttempts": NotRequired[int],
    "overlap": NotRequired[Literal["SKIP", "BUFFER_ONE", "BUFFER_ALL", "CANCEL_OTHER", "ALLOW"]],
    "param": NotRequired[Any],
    "pauseAfter": NotRequired[int],
    "priority": NotRequired[int],
    "queue": str,
    "repeated": NotRequired[Literal["FIRST", "LAST", "BOTH"]],
    "revision": NotRequired[int],
    "tags": NotRequired[list[str]],
    "timeToLive": NotRequired[str],
    "timeout": NotRequired[str],
    "topic": str,
    "window": NotRequired[str],
    "zone": NotRequired[str],
})

ScheduleExplanationView = TypedDict("ScheduleExplanationView", {
    "reason": Literal["NO_SUCH_SCHEDULE", "MISPLACED", "UNREADABLE", "PAUSED", "ENDED", "NOT_DUE", "WAITS", "NO_CONSUMER", "ABOUT_TO_FIRE"],
    "text": str,
})

ScheduleHistoryView = TypedDict("ScheduleHistoryView", {
    "decisions": list["Decision"],
})

ScheduleView = TypedDict("ScheduleView", {
    "backoff": NotRequired["Backoff"],
    "catchUp": Literal["LAST", "NONE", "ALL"],
    "cron": NotRequired[str],
    "decisions": list["Decision"],
    "dedupe": NotRequired["Dedupe"],
    "every": NotRequired[str],
    "fired": int,
    "gap": Literal["SHIFT", "SKIP"],
    "headers": dict[str, str],
    "jitter": str,
    "key": NotRequired[str],
    "lastAt": NotRequired[str],
    "lastId": NotRequired[str],
    "lease": NotRequired[str],
    "maxAttempts": NotRequired[int],
    "name": str,
    "nextAt": NotRequired[str],
    "orphanSince": NotRequired[str],
    "overlap": Literal["SKIP", "BUFFER_ONE", "BUFFER_ALL", "CANCEL_OTHER", "ALLOW"],
    "param": NotRequired[Any],
    "pauseAfter": int,
    "paused": bool,
    "priority": NotRequired[int],
    "queue": str,
    "repeated": Literal["FIRST", "LAST", "BOTH"],
    "revision": int,
    "skipped": int,
    "tags": list[str],
    "timeToLive": NotRequired[str],
    "timeout": NotRequired[str],
    "topic": str,
    "waits": bool,
    "window": str,
    "zone": str,
})

SchedulesView = TypedDict("SchedulesView", {
    "schedules": list["ScheduleView"],
})

SettledView = TypedDict("SettledView", {
    "applied": bool,
    "handle": str,
})

Settlement = TypedDict("Settlement", {
    "action": Literal["complete", "retry", "bury", "release", "extend", "progress"],
    "delay": NotRequired[str],
    "error": NotRequired[str],
    "handle": str,
    "lease": NotRequired[str],
    "progress": NotRequired["ProgressBody"],
    "result": NotRequired[Any],
    "slowKey": NotRequired[bool],
})

SettlementsBody = TypedDict("SettlementsBody", {
    "settlements": list["Settlement"],
})

SettlementsView = TypedDict("SettlementsView", {
    "results": list["SettledView"],
})

StepView = TypedDict("StepView", {
    "at": str,
    "attempt": int,
    "dueAt": NotRequired[str],
    "kind": Literal["SUBMITTED", "CLAIMED", "EXPIRED", "PASSED_ON", "TAKEN_BACK", "COMPLETED", "RETRIED", "BURIED", "RELEASED", "CANCELLED", "REPLACED", "REFUSED", "RESCHEDULED", "REDRIVEN", "PURGED", "RESTORED", "OTHER"],
    "node": NotRequired[str],
    "state": NotRequired[Literal["DELAYED", "READY", "RESERVED", "COMPLETED", "DEAD", "CANCELLED"]],
    "text": NotRequired[str],
})

SubmittedView = TypedDict("SubmittedView", {
    "dueAt": NotRequired[str],
    "id": str,
    "outcome": Literal["STORED", "EXISTS", "KEPT", "REPLACED", "POSTPONED", "DEFERRED", "JOURNALED", "UNCONFIRMED"],
    "queue": str,
    "state": NotRequired[Literal["DELAYED", "READY", "RESERVED", "COMPLETED", "DEAD", "CANCELLED"]],
})

TargetBody = TypedDict("TargetBody", {
    "calls": NotRequired[int],
    "everyInstance": NotRequired[bool],
    "perSecond": NotRequired[int],
    "queue": NotRequired[str],
    "secrets": NotRequired[list[str]],
    "target": str,
    "timeout": NotRequired[str],
})

TargetView = TypedDict("TargetView", {
    "calls": int,
    "everyInstance": bool,
    "maker": NotRequired[str],
    "origin": Literal["PROPERTY", "BEAN", "RUN_TIME"],
    "perSecond": NotRequired[int],
    "queue": str,
    "reason": NotRequired[str],
    "secrets": int,
    "state": Literal["OPEN", "PAUSED", "CLOSED", "HELD", "UNUSABLE"],
    "target": str,
    "timeout": str,
    "topic": str,
})

TargetsView = TypedDict("TargetsView", {
    "targets": list["TargetView"],
})

TokenBody = TypedDict("TokenBody", {
    "bytesPerSecond": NotRequired[int],
    "expiresAt": NotRequired[str],
    "name": str,
    "queues": NotRequired[list[str]],
    "requestsPerSecond": NotRequired[int],
    "roles": list[Literal["submit", "work", "read", "operate", "admin"]],
})

TokenView = TypedDict("TokenView", {
    "bytesPerSecond": NotRequired[int],
    "createdAt": str,
    "expiresAt": NotRequired[str],
    "name": str,
    "queues": list[str],
    "requestsPerSecond": NotRequired[int],
    "roles": list[Literal["submit", "work", "read", "operate", "admin"]],
    "token": NotRequired[str],
})

TokensView = TypedDict("TokensView", {
    "tokens": list["TokenView"],
})

TopicView = TypedDict("TopicView", {
    "queue": str,
    "topic": str,
    "type": str,
})

TriggeredView = TypedDict("TriggeredView", {
    "job": "ResultView",
})

UnboundView = TypedDict("UnboundView", {
    "unbound": int,
})
