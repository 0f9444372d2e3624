import { useActor } from '../../data/tenants.ts';
import type { ScreenProps } from '../../screen-props.ts';
import { ScreenHead } from '../../ui/screen-head.tsx';
import { useTitle } from '../../ui/title.ts';
import { Credentials } from './credentials.tsx';

/** Lists the API keys of a workspace. The control API has no roles, so this screen checks the user's role itself. */
export function ApiKeysScreen({ workspaceId }: ScreenProps) {
  const why = useActor(workspaceId).why('workspace:developer:write');
  useTitle('API keys', workspaceId);
  return (
    <div class="screen">
      <ScreenHead title="API keys" />
      <Credentials
        owner={{ kind: 'api_key', workspaceId }}
        owns="A key may do everything in this workspace, and nothing in other workspaces. The rate limit is 300 requests a minute."
        why={why}
      />
    </div>
  );
}
