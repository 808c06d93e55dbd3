export type { components } from './api.js';
export * from './client.js';
export * from './errors.js';
export type { Attempt, Handler } from './run.js';
export { Worker, type WorkerOptions } from './worker.js';
