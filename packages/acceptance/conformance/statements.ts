import { access } from './decisions/access.ts';
import { deliveries } from './decisions/deliveries.ts';
import { errors } from './decisions/errors.ts';
import { shapesAndInput } from './decisions/shapes-and-input.ts';
import { authentication } from './document/authentication.ts';
import { conventions } from './document/conventions.ts';
import { endpoints } from './document/endpoints.ts';
import { errorsAndVersioning } from './document/errors-and-versioning.ts';
import { events } from './document/events.ts';
import { resources } from './document/resources.ts';
import { states } from './document/states.ts';
import type { Statement } from './statement.ts';

/** Every statement, in the document's order, the decisions behind it. */
export const statements: readonly Statement[] = [
  ...resources,
  ...states,
  ...conventions,
  ...endpoints,
  ...authentication,
  ...events,
  ...errorsAndVersioning,
  ...errors,
  ...access,
  ...shapesAndInput,
  ...deliveries,
];
