export * from './operations.ts';
export type * from './types.ts';
export * from './values.ts';
