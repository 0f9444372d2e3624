/**
 * A schema from any library that supports Standard Schema, for example zod.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface ResponseSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
  };
}

/**
 * The result of checking a value against a schema.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface ValidationResult {
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined;
}

/**
 * Schemas of whole responses, by operation, for example `GET /v1/workspaces/{workspaceId}`.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export type ResponseSchemas = Readonly<Record<string, ResponseSchema | undefined>>;

/**
 * Checks responses against schemas. The data does not change: nothing is stripped or converted.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface Validation {
  /** The schemas of `@svc/client/schemas`, or your own. */
  schemas: ResponseSchemas;
  /** `warn` (default) reports to the logger, or to the console if there is none. `throw` throws a {@link ResponseError}. */
  onInvalid?: 'warn' | 'throw' | undefined;
}
