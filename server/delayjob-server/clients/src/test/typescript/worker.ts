import type { components, paths } from './api';

type Jobs = paths['/api/v1/queues/{queue}/jobs'];
type NewJob = Jobs['post']['requestBody']['content']['application/json'];
type Stored = Jobs['post']['responses']['201']['content']['application/json'];
type Claimed = components['schemas']['ClaimedView'];
type Settlement = components['schemas']['Settlement'];
type Problem = components['schemas']['ProblemDetail'];

export const job: NewJob = { topic: 'greet', param: { name: 'Ann', tags: [1, null] }, delay: 'PT3S' };

/** What an answer always has needs no question mark. */
export function summary(stored: Stored): string {
  return `${stored.queue.length} ${stored.id.length} ${stored.dueAt?.length}`;
}

export function settlements(claimed: Claimed): Settlement[] {
  return claimed.jobs.map((one) => ({ handle: one.handle, action: 'complete', result: { attempt: one.attempt + 1 } }));
}

export function message(problem: Problem): string {
  return `${problem.status}: ${problem.detail.trim()}`;
}

// @ts-expect-error a job without a topic
export const without: NewJob = { param: 1 };

// @ts-expect-error an action that there is not
export const unknown: Settlement = { handle: 'h', action: 'forget' };
