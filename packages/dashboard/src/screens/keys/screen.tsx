import type { ScreenProps } from '../../app.tsx';
import { useTitle } from '../../ui/title.ts';
import { Credentials } from './credentials.tsx';

/** The workspace's API keys. */
export function ApiKeysScreen({ workspaceId }: ScreenProps) {
  useTitle('API keys', workspaceId);
  return (
    <div class="screen">
      <header class="screen-head">
        <h1>API keys</h1>
      </header>
      <Credentials
        owner={{ kind: 'api_key', workspaceId }}
        owns="A key may do everything in this workspace and nothing elsewhere. 300 requests a minute."
      />
    </div>
  );
}
