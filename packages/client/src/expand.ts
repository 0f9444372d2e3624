import type { EmbeddedWorkspace } from '@svc/contract';

/**
 * The registry: for each operation with `expand`, the names that it takes and what each adds to an item.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export interface Expansions {
  listOrganizations: {
    /** The workspaces of the organization that the caller can reach. */
    workspaces: EmbeddedWorkspace[];
  };
}

/**
 * What `expand` takes on an operation; `undefined` and an empty array expand nothing.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export type ExpandOf<Operation extends keyof Expansions> = readonly (keyof Expansions[Operation])[] | undefined;

/**
 * An item as it comes with this `expand`: what is named is present, what may be named is optional, the rest is absent.
 *
 * {@includeCode ../test/documented/expand.ts#expand}
 */
export type Expanded<Item, Fields, Names extends readonly PropertyKey[] | undefined> =
  // A dynamic array that may also be missing says as little as a dynamic array.
  undefined extends Names
    ? number extends NonNullable<Names>['length']
      ? WithFields<Item, Fields, NonNullable<Names>>
      : WithFields<Item, Fields, Names>
    : WithFields<Item, Fields, Names>;

/** Goes over the members of a union one by one, so that a conditional `expand` gives a union. */
type WithFields<Item, Fields, Names> = Names extends readonly PropertyKey[]
  ? [Names[number]] extends [never]
    ? Item
    : Item &
        Pick<Fields, Named<Names> & keyof Fields> &
        Partial<Pick<Fields, Exclude<Names[number], Named<Names>> & keyof Fields>>
  : Item;

/** The names that surely stand in the array: those at fixed places that are one literal each. */
type Named<Names extends readonly PropertyKey[]> = Names extends readonly [
  infer Head extends PropertyKey,
  ...infer Rest extends readonly PropertyKey[],
]
  ? One<Head> | Named<Rest>
  : never;

/** `Name` if it is a single literal, `never` if it is a union. */
type One<Name, All = Name> = Name extends unknown ? ([All] extends [Name] ? Name : never) : never;
