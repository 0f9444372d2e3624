/** The types of the control API. This file contains only types, so web pages can import it. */
export type { PathParameters } from '../derived-types.ts';
export type * from './operation-types.ts';
export type * from './resources/index.ts';
