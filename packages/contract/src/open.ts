/**
 * A value in `Known`, or a value that the service may add later. Editors suggest the values in `Known`.
 *
 * {@includeCode ../../client/test/documented/values.ts#open}
 */
export type Open<Known extends string> = Known | (string & {});

/**
 * An instant: ISO 8601 in UTC, for example `2026-03-01T09:30:00.000Z`. The service may send more or fewer fractional
 * digits of the second, and `+00:00` instead of `Z`.
 *
 * {@includeCode ../../client/test/documented/values.ts#timestamp}
 */
export type Timestamp = string;

/**
 * Any JSON value.
 *
 * {@includeCode ../../client/test/documented/values.ts#json}
 */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
