/** Files that are served as they are come in as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.client.js' {
  const text: string;
  export default text;
}
declare module '*.min.js' {
  const text: string;
  export default text;
}
declare module '*.webmanifest' {
  const text: string;
  export default text;
}
declare module '*.svg' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
/** The path of the file, also inside of the executable. */
declare module '*.wasm' {
  const path: string;
  export default path;
}
declare module '*.png' {
  const path: string;
  export default path;
}
