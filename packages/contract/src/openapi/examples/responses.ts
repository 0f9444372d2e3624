import { EVENT_CATALOG } from '../../event-catalog.ts';
import type { ResponseName, Responses } from '../../operation-types.ts';
import type { ListEnvelope } from '../../resources/list.ts';
import { delivered, deliveredDetail, events, pingDeliveryId, replay, retrying, retryingDetail } from './deliveries.ts';
import { pageTokens } from './requests.ts';
import {
  identityOfKey,
  identityOfToken,
  organization,
  rotatedSecret,
  searchResults,
  updatedWorkspace,
  webhookEndpoint,
  webhookSecret,
  workspace,
} from './resources.ts';

export type Examples<Value> = Readonly<Record<string, { summary: string; value: Value }>>;

const only = <Value>(summary: string, value: Value): Examples<Value> => ({ example: { summary, value } });

const wholeList = <Item>(data: readonly Item[]): ListEnvelope<Item> => ({
  data: [...data],
  nextPageUrl: null,
  previousPageUrl: null,
});

/** `url` is the URL of the list with its filters, and ends with `?` or `&`. */
function twoPages<Item>(items: readonly Item[], url: string, token: string): Examples<ListEnvelope<Item>> {
  const limit = Math.ceil(items.length / 2);
  const at = `${url}limit=${limit}&page=${token}`;
  return {
    first: {
      summary: 'The first page, which is followed by another page.',
      value: { data: items.slice(0, limit), nextPageUrl: at, previousPageUrl: null },
    },
    last: {
      summary: 'The last page, which follows another page.',
      value: { data: items.slice(limit), nextPageUrl: null, previousPageUrl: at },
    },
  };
}

/** `url` is the URL of the operation. Page URLs begin with this URL. */
export function responseExamples(url: string): { [Name in ResponseName]: Examples<Responses[Name]> } {
  const { workspaces: _workspaces, ...plainOrganization } = organization;
  return {
    WorkspaceList: only('The only workspace of the user.', wholeList([workspace])),
    WorkspaceResponse: only('A workspace.', { workspace }),
    UpdatedWorkspaceResponse: only('The workspace after the change.', { workspace: updatedWorkspace }),
    OrganizationList: {
      plain: { summary: 'Without `expand`.', value: wholeList([plainOrganization]) },
      expanded: { summary: 'With `expand=workspaces`.', value: wholeList([organization]) },
    },
    Identity: {
      apiKey: { summary: 'The caller is an API key.', value: identityOfKey },
      personalAccessToken: { summary: 'The caller is a user who names a workspace.', value: identityOfToken },
    },
    SearchResultList: twoPages(searchResults, `${url}?q=l&`, pageTokens.events),
    WebhookEndpointList: only('The only endpoint of the workspace.', wholeList([webhookEndpoint])),
    WebhookEndpointResponse: only('An endpoint.', { endpoint: webhookEndpoint }),
    CreatedWebhookEndpoint: only('The new endpoint, and its secret.', {
      endpoint: { ...webhookEndpoint, updatedAt: webhookEndpoint.createdAt },
      secret: webhookSecret,
    }),
    WebhookSecretResponse: only('The new secret.', { secret: rotatedSecret }),
    PingResponse: only('The delivery of the test event.', { ping: { deliveryId: pingDeliveryId } }),
    EventTypeList: twoPages(EVENT_CATALOG, `${url}?`, pageTokens.events),
    WebhookDeliveryList: twoPages([retrying, delivered], `${url}?`, pageTokens.deliveries),
    WebhookDeliveryResponse: {
      delivered: { summary: 'The first attempt succeeded.', value: { delivery: deliveredDetail } },
      retrying: {
        summary: 'The first attempt failed, and the second attempt is scheduled.',
        value: { delivery: retryingDetail },
      },
    },
    ReplayResponse: only('The new delivery.', { delivery: replay }),
    Event: only('A finished evaluation.', events[3]),
    EventList: twoPages(events, `${url}?`, pageTokens.events),
    Ok: only('Success.', { ok: true }),
  };
}
