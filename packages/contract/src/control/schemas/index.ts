export { ACTIVE_DAYS_MAX, controlBodies, profileInput as profileInputSchema } from './bodies.ts';
export * from './queries.ts';
