/**
 * The types of the control API's JSON, for programs that call the control API over HTTP. This module contains no code.
 */
export type * from '@svc/contract/control/resources';
