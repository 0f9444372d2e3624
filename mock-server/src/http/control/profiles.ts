import { SEARCH_WORDS_MAX } from '@svc/contract';
import { wordsOf } from '../../domain/search.ts';
import { findProfile, listProfiles, profileKey } from '../../storage/statements/profiles/list-profiles.ts';
import { deleteProfile } from '../../storage/statements/profiles/write.ts';
import { notFound, validation } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { presentProfile } from '../present/profile.ts';
import type { ControlHandlers } from './operation.ts';
import { requireWorkspace } from './require-workspace.ts';

/** The calls for profiles. */
export const profileHandlers = {
  async importProfiles({ services, params: { workspaceId }, openBody }) {
    const { format, chunks } = openBody();
    await requireWorkspace(services, workspaceId);
    return await services.lifecycle.importProfiles(workspaceId, chunks, format);
  },

  async listProfiles({ services, path, params: { workspaceId }, query: { state, q, ...query } }) {
    if (q !== undefined && wordsOf(q).length > SEARCH_WORDS_MAX) {
      throw validation(`Invalid query: "q" must have at most ${SEARCH_WORDS_MAX} words.`);
    }
    await requireWorkspace(services, workspaceId);
    const filters = { ...(state !== undefined && { state }), ...(q !== undefined && { q }) };
    return await respondWithPage(
      { services, path, filters, query },
      (bound, limit) =>
        services.storage.read((queries) => listProfiles(queries, { workspaceId, ...filters }, bound, limit)),
      profileKey,
      presentProfile,
    );
  },

  async readProfile({ services, params: { workspaceId, profileId } }) {
    await requireWorkspace(services, workspaceId);
    const row = await services.storage.read((queries) => findProfile(queries, workspaceId, profileId));
    if (!row) throw notFound('profile', profileId);
    return { profile: presentProfile(row) };
  },

  async deleteProfile({ services, params: { workspaceId, profileId } }) {
    await requireWorkspace(services, workspaceId);
    const found = await services.storage.write((queries) => deleteProfile(queries, workspaceId, profileId));
    if (!found) throw notFound('profile', profileId);
    return { ok: true };
  },
} satisfies Partial<ControlHandlers>;
