/** What is shown instead of a page. */
import { Layout } from '../layout.tsx';
import type { PageRequest } from '../page-request.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'That could not be read',
  403: 'That was refused',
  404: 'Not found',
  405: 'That is not possible',
  413: 'That is too large',
  429: 'Too often',
  500: 'Something went wrong',
};

/** A page that says why there is none. */
export function FaultPage(props: {
  readonly request: PageRequest;
  readonly status: number;
  readonly message: string;
}) {
  const { request, status, message } = props;
  return (
    <Layout title={titles[status] ?? 'Something went wrong'} request={request} isNarrow>
      <p>{message}</p>
      <p>
        <a href={request.who ? '/overview' : '/'}>Back to the start</a>
      </p>
    </Layout>
  );
}
