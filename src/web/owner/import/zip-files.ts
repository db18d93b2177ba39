/** Packs files that were chosen together, so that they are kept and read like an archive. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Not compressed, because drafts are. Files with the same name are numbered. */
export async function zipFiles(files: readonly NamedFile[]): Promise<Uint8Array> {
  const zip = new ZipFile();
  const names = new Set<string>();
  for (const { name, bytes } of files) {
    const unique = unusedName(name, names);
    names.add(unique);
    zip.addBuffer(Buffer.from(bytes), unique, { compress: false });
  }
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}

function unusedName(name: string, used: ReadonlySet<string>): string {
  let unused = name;
  for (let number = 2; used.has(unused); number++) unused = `${number}-${name}`;
  return unused;
}
