/**
 * The kind of page that imports a file in three steps, each with its own address: choose the file,
 * preview what it changes, apply that.
 */
import { EmptyState } from '../../kit/card.tsx';
import { formPage } from '../../kit/form-page.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';
import { findDraft, type KeptFile, keepDraft, readUpload } from './uploaded.ts';

/** The file of a preview. `found` is what it is imported into, if the path names it. */
export interface PreviewedFile<Request extends OwnRequest, Found> {
  readonly deps: WebDeps;
  readonly request: Request;
  readonly found: Found;
  readonly draft: KeptFile;
}

interface Unreadable {
  readonly fault: string;
}

interface FileImport<Found> {
  /** The page to choose a file, or to paste text into the field `pasted`. */
  readonly choose: (deps: WebDeps, request: OwnRequest, found: Found) => PageAnswer;
  readonly pasted: string;
  /** Shows what would change. Writes nothing. */
  readonly preview: (file: PreviewedFile<OwnRequest, Found>) => Promise<PageAnswer | Unreadable>;
  /** Imports the file. If it cannot be read, the preview says why. */
  readonly apply: (file: PreviewedFile<OwnSentRequest, Found>) => Promise<PageAnswer | Unreadable>;
}

/** The pages to choose a file, and of its preview, whose path ends with `{draft}`. */
export function previewPages<Found>(steps: FileImport<Found>) {
  const { choose, pasted, preview, apply } = steps;
  return {
    choose: {
      takesFile: true,
      ...formPage({
        show: choose,
        read: ({ fields }) => readUpload(fields, pasted),
        save: async ({ deps, sent }, file) => ({
          goTo: `${sent.path}/${await keepDraft(deps, sent, file)}`,
        }),
      }),
    },
    preview: {
      readsFile: true,
      get: async (deps: WebDeps, request: OwnRequest, found: Found): Promise<PageAnswer> => {
        const draft = await findDraft(deps, request);
        if (!draft) return expiredFile(request);
        const shown = await preview({ deps, request, found, draft });
        return 'fault' in shown ? unreadableFile(request, draft.file.name, shown.fault) : shown;
      },
      post: async (deps: WebDeps, sent: OwnSentRequest, found: Found): Promise<PageAnswer> => {
        const draft = await findDraft(deps, sent);
        if (!draft) return expiredFile(sent);
        const applied = await apply({ deps, request: sent, found, draft });
        return 'fault' in applied ? { goTo: sent.path } : applied;
      },
    },
  };
}

/** The answer for a draft that was deleted after an hour. */
export function expiredFile(request: OwnRequest): PageAnswer {
  const why = 'Files are kept for an hour.';
  const shown = { title: 'This import has expired', why, link: 'Choose the file again' };
  return { page: <NoPreview request={request} {...shown} />, status: 404 };
}

function unreadableFile(request: OwnRequest, name: string, why: string): PageAnswer {
  const shown = { title: `${name} cannot be read`, why, link: 'Choose another file' };
  return { page: <NoPreview request={request} {...shown} />, status: 400 };
}

/** Says why there is no preview, and leads to the page to choose a file. */
function NoPreview(props: {
  readonly request: OwnRequest;
  readonly title: string;
  readonly why: string;
  readonly link: string;
}) {
  const { request, title, why, link } = props;
  const href = request.path.replace(/\/import\/.*$/, '/import');
  return (
    <Layout title="Import a file" request={request} isNarrow>
      <EmptyState title={title} actions={[[href, link]]}>
        {why}
      </EmptyState>
    </Layout>
  );
}
