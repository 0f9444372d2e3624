/** The types of the control API. Web pages import this file, because it contains no code. */
export type { PathParameters } from '../derived-types.ts';
export type * from './operation-types.ts';
export type * from './resources/index.ts';
