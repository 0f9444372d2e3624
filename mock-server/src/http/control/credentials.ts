import { workspaceNameSchema } from '@svc/contract/schemas';
import { z } from 'zod';
import { createCredential, hashCredential } from '../../domain/credential.ts';
import { deleteCredential } from '../../storage/statements/delete-credential.ts';
import { findUser } from '../../storage/statements/find-user.ts';
import { findWorkspace } from '../../storage/statements/find-workspace.ts';
import { insertCredential } from '../../storage/statements/insert-credential.ts';
import { notFound } from '../errors.ts';
import { controlOperation } from './operation.ts';

const common = { test: z.boolean().default(true), name: workspaceNameSchema.optional() };

const issueCredential = controlOperation({
  method: 'POST',
  path: '/_control/credentials',
  changes: { tenants: true },
  summary: 'Create a credential',
  description: 'Only this response contains its text.',
  body: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('api_key'), workspaceId: z.string(), ...common }),
    z.strictObject({ kind: z.literal('personal_access_token'), userId: z.string(), ...common }),
  ]),
  status: 201,
  answer: z.object({ id: z.string(), credential: z.string() }),
  refusals: { 404: 'No such workspace or user.' },
  async handle({ services: { clock, ids, random, storage }, body }) {
    const id = ids.next(body.kind === 'api_key' ? 'apiKey' : 'personalAccessToken');
    const credential = createCredential(body.kind, body.test, id, random);
    await storage.write(async (queries) => {
      if (body.kind === 'api_key') {
        if (!(await findWorkspace(queries, body.workspaceId))) throw notFound('workspace', body.workspaceId);
      } else if (!(await findUser(queries, body.userId))) throw notFound('user', body.userId);
      await insertCredential(queries, {
        id,
        kind: body.kind,
        hash: hashCredential(credential),
        name: body.name ?? null,
        test: body.test ? 1 : 0,
        workspace_id: body.kind === 'api_key' ? body.workspaceId : null,
        user_id: body.kind === 'api_key' ? null : body.userId,
        created_at: clock.now(),
      });
    });
    return { id, credential };
  },
});

const revokeCredential = controlOperation({
  method: 'DELETE',
  path: '/_control/credentials/{id}',
  changes: { tenants: true },
  summary: 'Revoke a credential',
  description: 'Every server refuses it at once.',
  status: 200,
  answer: z.object({ ok: z.literal(true) }),
  refusals: { 404: 'No such credential, or it is revoked already.' },
  async handle({ services: { storage }, params: { id = '' } }) {
    if (!(await storage.write((queries) => deleteCredential(queries, id)))) throw notFound('credential', id);
    return { ok: true };
  },
});

/** The calls that issue and revoke credentials. */
export const credentialOperations = [issueCredential, revokeCredential];
