/** The types of the control API's JSON, for programs that call it over HTTP. Contains no code. */
export type * from '@svc/contract/control/resources';
