import descriptions from './descriptions.json' with { type: 'json' };

/**
 * The descriptions of an object and each of its fields. The name of a field in an inner object is a path: `user.id`.
 */
export interface Description {
  about: string;
  fields: Readonly<Record<string, string>>;
}

// `descriptions.json` and `control/descriptions.json` are generated from the docstrings of the types. To update these
// files, run `node packages/contract/build/descriptions.ts`.

/** The descriptions of the resources, by the names of their types. */
export const typeDescriptions = descriptions.types satisfies Record<string, Description>;

/**
 * The descriptions of the operations' queries, bodies and responses, by name, and of their fields, by path. A path
 * begins with the name: `PingResponse.ping.deliveryId`.
 */
export const operationDescriptions: Readonly<Record<string, string>> = descriptions.operations;
