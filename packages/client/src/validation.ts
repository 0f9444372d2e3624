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
 * Schemas of whole responses, keyed by operation, for example `GET /v1/workspaces/{workspaceId}`.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export type ResponseSchemas = Readonly<Record<string, ResponseSchema | undefined>>;

/**
 * Checks responses against schemas (in `response.ts`). Validation does not change the data: no field is removed or
 * converted.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface Validation {
  /** The schemas of `@svc/client/schemas`, or your own schemas. */
  schemas: ResponseSchemas;
  /**
   * The reaction to an invalid response. `warn` (default) writes a warning to the logger, or to the console if there is
   * no logger. `throw` throws a {@link ResponseError}.
   */
  onInvalid?: 'warn' | 'throw' | undefined;
}
