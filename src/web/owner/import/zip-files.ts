/** Packs files that were chosen together, so that they are kept and read like an archive. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Not compressed, because drafts are. Files with the same name are numbered. */
export async function zipFiles(files: readonly NamedFile[]): Promise<Uint8Array> {
  const zip = new ZipFile();
  const names = new Set<string>();
  files.forEach(({ name, bytes }, index) => {
    const unique = names.has(name) ? `${index + 1}-${name}` : name;
    names.add(unique);
    zip.addBuffer(Buffer.from(bytes), unique, { compress: false });
  });
  zip.end();
  return new Uint8Array(await buffer(zip.outputStream));
}
