import type { Call } from './call.ts';
import type { Event } from './events.ts';
import { pathWithId } from './ids.ts';
import type { IdentityWorkspace, UserIdentity } from './operations/me.ts';
import type { CallOptions } from './options.ts';
import type { Take } from './response.ts';
import type { ListRoute, Route, RouteBodies, RouteResponses } from './routes.ts';
import type { Sender } from './sender.ts';

/** The caller's identity, in a type that fits every client. `clients.ts` declares the exact type for each client. */
export interface EveryCaller extends UserIdentity {
  workspace: IdentityWorkspace<never>;
}

/** Types that are more precise than the contract's types, for some responses and list items. */
export interface CloserTypes {
  'GET /v1/events': Event;
  'GET /v1/events/{eventId}': Event;
  'GET /v1/me': EveryCaller;
}

type DataOf<Name extends Route> = Name extends keyof CloserTypes ? CloserTypes[Name] : RouteResponses[Name];

/**
 * The parts of an operation's response that a call can return. `nothing` is allowed only if the response is
 * `{ ok: true }`.
 */
type TakeFrom<Name extends Route> =
  | 'all'
  | Extract<keyof RouteResponses[Name], string>
  | (RouteResponses[Name] extends { ok: true } ? 'nothing' : never);

type Taken<Name extends Route, From extends Take> = From extends 'nothing'
  ? undefined
  : From extends keyof DataOf<Name>
    ? DataOf<Name>[From]
    : DataOf<Name>;

type IdOf<Name extends Route> = Name extends `${string}{${string}` ? [id: string] : [];
type BodyOf<Name extends Route> = Name extends keyof RouteBodies ? [body: RouteBodies[Name]] : [];

/**
 * The part of the response that a call returns, and whether the operation's request has a body. `hasBody` is
 * required for an operation with a request body, and forbidden for all other operations.
 */
type Binding<Name extends Route, From extends Take> = Name extends keyof RouteBodies
  ? [take: From, hasBody: true]
  : [take: From];

/**
 * Returns the function that calls an operation. The function's arguments are `(id, body, options?)`, without the
 * arguments that the operation does not need.
 *
 * The types come from `routes.ts`: a binding fails to compile if it names a path, field or body that the operation does
 * not have.
 */
export type Bind = <Name extends Exclude<Route, ListRoute>, const From extends TakeFrom<Name>>(
  route: Name,
  ...how: Binding<Name, From>
) => (...args: [...IdOf<Name>, ...BodyOf<Name>, options?: CallOptions]) => Call<Taken<Name, From>>;

export function createBind({ settings, call }: Sender): Bind {
  return (route, take, hasBody?) => {
    const path = route.replace(/.* /, '');
    return (...args: unknown[]) => {
      const id = path.includes('{') && args.shift();
      const body = hasBody && args.shift();
      const url = () => settings.address().baseUrl + pathWithId(path, id);
      return call({ operation: route, url, body, options: args.shift() as CallOptions }, take);
    };
  };
}
