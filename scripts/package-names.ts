/** The version in names of packages, on pages that show how to install them. */
import { version } from '../package.json' with { type: 'json' };

export const pagesWithPackages = [
  'README.md',
  'docs/api.md',
  'docs/client.md',
  'docs/install.md',
  'docs/python.md',
];

export function withPackageNames(page: string): string {
  const names = /\b(brickmark(?:-client)?-)[\d.]+(\.tgz|-py3-none-any\.whl)/g;
  return page.replaceAll(names, `$1${version}$2`);
}
