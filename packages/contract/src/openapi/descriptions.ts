import descriptions from './descriptions.json' with { type: 'json' };

/** The descriptions of a type and its fields. The name of a field in an inner object is a path: `user.id`. */
export interface Description {
  about: string;
  fields: Readonly<Record<string, string>>;
}

// Both JSON files are generated from the docstrings of the types: run `node packages/contract/build/descriptions.ts`.

/** The descriptions of the types, keyed by type name. */
export const typeDescriptions = descriptions.types satisfies Record<string, Description>;

/** Descriptions, keyed by name or by field path, such as `PingResponse.ping.deliveryId`. */
export const operationDescriptions: Readonly<Record<string, string>> = descriptions.operations;
