/**
 * A schema of any library that speaks Standard Schema; zod's do.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface AnswerSchema {
  readonly '~standard': {
    readonly validate: (value: unknown) => ValidationResult | Promise<ValidationResult>;
  };
}

/**
 * What a schema says of a value.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface ValidationResult {
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[] | undefined;
}

/**
 * Schemas of whole answers, by operation: `GET /v1/workspaces/{workspaceId}`.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export type AnswerSchemas = Readonly<Record<string, AnswerSchema | undefined>>;

/**
 * Checks answers against schemas. Data passes as it came: nothing is stripped or converted.
 *
 * {@includeCode ../test/documented/extending.ts#validate}
 */
export interface Validation {
  /** Those of `@svc/client/schemas`, or your own. */
  schemas: AnswerSchemas;
  /** `warn` (the default) tells the logger, or the console where there is none; `throw` throws a {@link ResponseError}. */
  onInvalid?: 'warn' | 'throw' | undefined;
}
