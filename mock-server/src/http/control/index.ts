import { type ControlOperationName, controlOperations } from '@svc/contract/control';
import type { Hono } from 'hono';
import type { Services } from '../services.ts';
import { clockHandlers } from './clock.ts';
import { credentialHandlers } from './credentials.ts';
import { deliveryHandlers } from './deliveries.ts';
import { endpointHandlers } from './endpoints.ts';
import { eventHandlers } from './events.ts';
import { exportHandlers } from './export.ts';
import { faultHandlers } from './faults.ts';
import { findHandlers } from './find.ts';
import { controlGuard } from './guard.ts';
import { lifecycleHandlers } from './lifecycle.ts';
import { type ControlHandler, type ControlHandlers, registerOperation } from './operation.ts';
import { listHandlers } from './requests-and-notifications.ts';
import { serverHandlers } from './server.ts';
import { streamHandlers } from './stream.ts';
import { tenantHandlers } from './tenants.ts';

const handlers: ControlHandlers = {
  ...clockHandlers,
  ...credentialHandlers,
  ...deliveryHandlers,
  ...endpointHandlers,
  ...eventHandlers,
  ...exportHandlers,
  ...faultHandlers,
  ...findHandlers,
  ...lifecycleHandlers,
  ...listHandlers,
  ...serverHandlers,
  ...streamHandlers,
  ...tenantHandlers,
};

export function registerControl(app: Hono, services: Services): void {
  app.use('/_control/*', controlGuard(services));
  for (const name of Object.keys(controlOperations) as ControlOperationName[]) {
    registerOperation(app, services, name, handlers[name] as ControlHandler<ControlOperationName>);
  }
}
