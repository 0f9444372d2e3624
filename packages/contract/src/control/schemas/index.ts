export { controlBodies, profileInput as profileInputSchema } from './bodies.ts';
export * from './queries.ts';
