import type { WebhookEndpoint, WebhookSecret } from '@svc/client';
import { useState } from 'preact/hooks';
import { clientOf } from '../../data/acting.ts';
import { startSnippet } from '../../format/snippets.ts';
import { shortenUrl } from '../../format/text.ts';
import { endpointUrl } from '../../routes.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { toast } from '../../ui/toast.tsx';
import { EndpointForm } from './form.tsx';

export function SecretOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="Copy the signing secret"
      what="signing secret"
      text={secret}
      snippets={[
        ['.env', `SVC_WEBHOOK_SECRET=${secret}`],
        ['Start the receiver', startSnippet(secret)],
      ]}
      onClose={onClose}
    />
  );
}

export function RegisterEndpoint({
  workspaceId,
  url: suggested,
  onClose,
}: {
  workspaceId: string;
  url?: string | undefined;
  onClose: () => void;
}) {
  const [made, setMade] = useState<{ endpoint: WebhookEndpoint; secret: WebhookSecret }>();
  if (made !== undefined) {
    const { endpoint, secret } = made;
    const done = () => {
      onClose();
      // Close the dialog first, because nobody could click a toast under it.
      toast(`Registered ${shortenUrl(endpoint.url)}.`, {
        link: { href: endpointUrl(workspaceId, endpoint.id), text: 'Open' },
      });
    };
    return <SecretOnce secret={secret.secret} onClose={done} />;
  }
  return (
    <EndpointForm
      workspaceId={workspaceId}
      suggestedUrl={suggested}
      onClose={onClose}
      save={async ({ url, description, subscribedEvents }) => {
        setMade(
          await clientOf(workspaceId).webhooks.endpoints.create({
            url,
            subscribedEvents,
            ...(description !== null && { description }),
          }),
        );
      }}
    />
  );
}
