import type { Hono } from 'hono';
import { ApiError } from '../errors.ts';
import type { Services } from '../services.ts';
import { attemptOperations } from './attempts.ts';
import { clockOperations } from './clock.ts';
import { credentialListOperations } from './credential-lists.ts';
import { credentialOperations } from './credentials.ts';
import { endpointOperations } from './endpoints.ts';
import { eventDeliveryOperations } from './event-deliveries.ts';
import { eventOperations } from './events.ts';
import { explanationOperations } from './explanation.ts';
import { exportOperations } from './export.ts';
import { faultOperations } from './faults.ts';
import { findOperations } from './find.ts';
import { controlGuard } from './guard.ts';
import { infoOperations } from './info.ts';
import { lifecycleOperations } from './lifecycle.ts';
import { listOperations } from './lists.ts';
import { memberOperations } from './members.ts';
import { createControlDocument } from './openapi.ts';
import type { ControlOperation } from './operation.ts';
import { profileOperations } from './profiles.ts';
import { replayOperations } from './replays.ts';
import { resetOperations } from './reset.ts';
import { seedSchemaOperations } from './seed-schema.ts';
import { sessionOperations } from './sessions.ts';
import { signatureOperations } from './signature.ts';
import { snapshotOperations } from './snapshots.ts';
import { streamOperations } from './stream.ts';
import { tenantListOperations } from './tenant-lists.ts';
import { tenantOperations } from './tenants.ts';
import { waitOperations } from './wait.ts';

/** The API under `/_control` with which tests and developers control the server. */
export function registerControl(app: Hono, services: Services): void {
  if (!services.local && services.adminToken === undefined) {
    app.all('/_control/*', () => {
      throw new ApiError('FORBIDDEN', 'In the strict profile the control API needs --admin-token.');
    });
    return;
  }
  app.use('/_control/*', controlGuard(services));
  for (const operation of everyOperation) operation.register(app, services);
  app.get('/_control/openapi.json', (c) => c.json(createControlDocument(services.publicUrl(), everyOperation)));
}

/** All calls of the control API that the typed client has. */
export const controlOperations = [
  ...resetOperations,
  ...clockOperations,
  ...eventOperations,
  ...tenantOperations,
  ...memberOperations,
  ...credentialOperations,
  ...profileOperations,
  ...lifecycleOperations,
  ...attemptOperations,
  ...explanationOperations,
  ...listOperations,
  ...waitOperations,
  ...faultOperations,
  ...snapshotOperations,
  ...infoOperations,
  ...sessionOperations,
  ...tenantListOperations,
  ...credentialListOperations,
  ...endpointOperations,
  ...eventDeliveryOperations,
  ...replayOperations,
  ...signatureOperations,
  ...findOperations,
  ...streamOperations,
] satisfies readonly ControlOperation[];

/** Every call of the control API, with those that answer with a file. */
export const everyOperation: readonly ControlOperation[] = [
  ...controlOperations,
  ...exportOperations,
  ...seedSchemaOperations,
];
