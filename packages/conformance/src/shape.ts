import assert from 'node:assert/strict';

export type Kind = (value: unknown) => boolean;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const text: Kind = (value) => typeof value === 'string';
export const integer: Kind = (value) => Number.isInteger(value);
export const flag: Kind = (value) => typeof value === 'boolean';
export const nothing: Kind = (value) => value === null;
export const anything: Kind = (value) => value !== undefined;
/** A time in ISO 8601 and UTC, with milliseconds. */
export const time: Kind = (value) => text(value) && TIMESTAMP.test(value as string);
/** A time in ISO 8601 and UTC. */
export const timestamp: Kind = (value) =>
  text(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(value as string);
/** An id: the prefix for the type of resource, and then an opaque string. */
export const identifier =
  (prefix: string): Kind =>
  (value) =>
    text(value) && (value as string).startsWith(prefix) && value !== prefix;
/** An id in this project's form: the prefix for the type of resource, and then 26 characters. */
export const id =
  (prefix: string): Kind =>
  (value) =>
    text(value) && new RegExp(`^${prefix}[0-9A-Z]{26}$`).test(value as string);
export const orNull =
  (kind: Kind): Kind =>
  (value) =>
    value === null || kind(value);
export const listOf =
  (kind: Kind): Kind =>
  (value) =>
    Array.isArray(value) && value.every(kind);
export const oneOf =
  (...values: unknown[]): Kind =>
  (value) =>
    values.includes(value);
export const texts: Kind = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(text);

/** Asserts that the object has exactly the named fields, in any order. */
export function assertKeys(value: object, ...names: string[]): void {
  assert.deepEqual(Object.keys(value).sort(), names.sort());
}

/** Asserts that the object has exactly the fields of the shape, each with a value of the kind that the shape names. */
export function assertShape(value: Record<string, unknown>, shape: Readonly<Record<string, Kind>>): void {
  assert.deepEqual(Object.keys(value).sort(), Object.keys(shape).sort());
  for (const [name, kind] of Object.entries(shape)) {
    assert.ok(kind(value[name]), `"${name}" is ${JSON.stringify(value[name])}`);
  }
}
