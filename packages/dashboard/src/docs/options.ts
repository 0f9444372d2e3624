import { tagSlug } from './anchors.ts';
import { type DemoCredential, demoCredential, type OpenApiDocument } from './documents.ts';

const TITLES: Readonly<Record<string, string>> = { api: 'Service', control: 'Control API' };

/** Returns Scalar's options for each document. The options turn off all links to Scalar's vendor. */
export function referenceOptions(
  documents: Readonly<Record<string, OpenApiDocument>>,
  credentials: readonly DemoCredential[],
  colors: 'light' | 'dark' | undefined,
): object[] {
  const token = demoCredential(credentials, 'api_key') ?? '';
  return Object.entries(documents).map(([slug, content]) => ({
    slug,
    title: TITLES[slug] ?? slug,
    content: { ...content },
    // The document of the service's API contains code samples. For the control API, Scalar creates samples for curl.
    ...(slug === 'api'
      ? {
          hiddenClients: true as const,
          authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token } } },
        }
      : { hiddenClients: [], defaultHttpClient: { targetKey: 'shell' as const, clientKey: 'curl' as const } }),
    generateTagSlug: ({ name }: { name?: string }) => tagSlug(name ?? ''),
    generateOperationSlug: ({ operationId, method, path }: { operationId?: string; method: string; path: string }) =>
      operationId ?? `${method}${path}`,
    theme: 'none' as const,
    ...(colors && { forceDarkModeState: colors }),
    hideDarkModeToggle: true,
    withDefaultFonts: false,
    showOperationId: true,
    hideClientButton: true,
    showDeveloperTools: 'never' as const,
    documentDownloadType: 'none' as const,
    agent: { disabled: true },
    mcp: { disabled: true },
    telemetry: false,
    // Requests go directly to the server, and the page stores no credentials.
    proxyUrl: '',
    persistAuth: false,
    // docs.html already sets the title of the page.
    metaData: {},
  }));
}
