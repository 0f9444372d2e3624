import { access } from './decisions/access.ts';
import { attempts } from './decisions/attempts.ts';
import { checksInOrder } from './decisions/checks-in-order.ts';
import { control } from './decisions/control.ts';
import { deliveries } from './decisions/deliveries.ts';
import { errors } from './decisions/errors.ts';
import { evaluations } from './decisions/evaluations.ts';
import { input } from './decisions/input.ts';
import { lifecycle } from './decisions/lifecycle.ts';
import { profiles } from './decisions/profiles.ts';
import { rateLimit } from './decisions/rate-limit.ts';
import { secretsAndTime } from './decisions/secrets-and-time.ts';
import { shapes } from './decisions/shapes.ts';
import { authentication } from './document/authentication.ts';
import { conventions } from './document/conventions.ts';
import { deliveriesAndEvents } from './document/deliveries-and-events.ts';
import { deliveryFields } from './document/delivery-fields.ts';
import { endpointActivity } from './document/endpoint-activity.ts';
import { errorsAndVersioning } from './document/errors-and-versioning.ts';
import { events } from './document/events.ts';
import { pages } from './document/pages.ts';
import { resources } from './document/resources.ts';
import { states } from './document/states.ts';
import { webhookEndpoints } from './document/webhook-endpoints.ts';
import { workspaces } from './document/workspaces.ts';
import type { Statement } from './statement.ts';

/** All statements: first the statements of the service document, in its order, and then this project's decisions. */
export const statements: readonly Statement[] = [
  ...resources,
  ...deliveryFields,
  ...states,
  ...endpointActivity,
  ...conventions,
  ...pages,
  ...workspaces,
  ...webhookEndpoints,
  ...deliveriesAndEvents,
  ...authentication,
  ...events,
  ...errorsAndVersioning,
  ...errors,
  ...checksInOrder,
  ...rateLimit,
  ...access,
  ...shapes,
  ...input,
  ...deliveries,
  ...attempts,
  ...secretsAndTime,
  ...control,
  ...lifecycle,
  ...profiles,
  ...evaluations,
];
