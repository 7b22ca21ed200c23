declare const folders: Readonly<Record<string, readonly string[]>>;
export = folders;
