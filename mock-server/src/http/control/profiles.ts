import { z } from 'zod';
import { profileInputSchema } from '../../domain/profiles/profile-input.ts';
import { LIFECYCLE_STATES } from '../../domain/profiles/state.ts';
import { deleteProfile } from '../../storage/statements/profiles/delete-profile.ts';
import { findProfile, listProfiles, profileKey } from '../../storage/statements/profiles/list-profiles.ts';
import { notFound } from '../errors.ts';
import { answerPage } from '../list.ts';
import { presentProfile } from '../present/profile.ts';
import { controlOperation } from './operation.ts';
import { envelope, listOf, page } from './page.ts';
import { requireWorkspace } from './require-workspace.ts';

const problem = z.object({ line: z.int(), message: z.string() });

const signals = z.object({
  daysSinceLastSeen: z.int(),
  daysSinceFirstSeen: z.int(),
  activeDaysLast7: z.int(),
  activeDaysLast28: z.int(),
  activeDaysThisWeek: z.int(),
  activeDaysLastWeek: z.int(),
  weekOverWeek: z.int(),
});

const profile = z.object({
  id: z.string(),
  externalId: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  attributes: z.record(z.string(), z.unknown()),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  activeDays: z.array(z.string()),
  state: z.enum(LIFECYCLE_STATES).nullable(),
  scores: z.object({ engagement: z.int(), churnRisk: z.int() }).nullable(),
  signals: signals.nullable(),
  evaluatedAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

const importProfiles = controlOperation({
  method: 'PUT',
  path: '/_control/workspaces/{id}/profiles',
  summary:
    'Import profiles by their external ids, from a stream of any length: a JSON array, or NDJSON with one profile on each line. Invalid lines are counted and skipped',
  streamed: profileInputSchema,
  status: 200,
  answer: z.object({
    upserted: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    rejected: z.int(),
    problems: z.array(problem).describe('The first hundred lines that were rejected'),
  }),
  refusals: { 404: 'No such workspace.', 415: 'The body is neither JSON nor NDJSON.' },
  async handle({ services, params: { id = '' }, openBody }) {
    const { format, chunks } = openBody();
    await requireWorkspace(services, id);
    return await services.lifecycle.importProfiles(id, chunks, format);
  },
});

const readProfiles = controlOperation({
  method: 'GET',
  path: '/_control/workspaces/{id}/profiles',
  summary: 'The profiles of a workspace, latest seen first',
  query: z.object({
    state: z.enum(LIFECYCLE_STATES).optional(),
    q: z.string().min(1).max(200).optional(),
    ...page,
  }),
  status: 200,
  answer: envelope(profile),
  refusals: { 404: 'No such workspace.' },
  async handle({ services, params: { id = '' }, query: { state, q, ...query } }) {
    await requireWorkspace(services, id);
    const filters = { ...(state !== undefined && { state }), ...(q !== undefined && { q }) };
    return await answerPage(
      listOf(services, `/_control/workspaces/${id}/profiles`, filters, query),
      (bound, limit) => services.storage.read((queries) => listProfiles(queries, id, filters, bound, limit)),
      profileKey,
      presentProfile,
    );
  },
});

const readProfile = controlOperation({
  method: 'GET',
  path: '/_control/workspaces/{id}/profiles/{profileId}',
  summary: 'A profile',
  status: 200,
  answer: z.object({ profile }),
  refusals: { 404: 'No such workspace or profile.' },
  async handle({ services, params: { id = '', profileId = '' } }) {
    await requireWorkspace(services, id);
    const row = await services.storage.read((queries) => findProfile(queries, id, profileId));
    if (!row) throw notFound('profile', profileId);
    return { profile: presentProfile(row) };
  },
});

const removeProfile = controlOperation({
  method: 'DELETE',
  path: '/_control/workspaces/{id}/profiles/{profileId}',
  summary: 'Delete a profile',
  status: 200,
  answer: z.object({ ok: z.literal(true) }),
  changes: { lifecycle: true },
  refusals: { 404: 'No such workspace or profile.' },
  async handle({ services, params: { id = '', profileId = '' } }) {
    await requireWorkspace(services, id);
    const found = await services.storage.write((queries) => deleteProfile(queries, id, profileId));
    if (!found) throw notFound('profile', profileId);
    return { ok: true };
  },
});

/** The calls about profiles. */
export const profileOperations = [importProfiles, readProfiles, readProfile, removeProfile];
