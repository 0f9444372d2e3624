/** The types of the control API without any code, for web pages. */
export type { PathParameters } from '../derived-types.ts';
export type * from './operation-types.ts';
export type * from './resources/index.ts';
