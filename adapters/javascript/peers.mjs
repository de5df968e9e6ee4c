// For programs of Node that judge an engine: where its packages are installed, and options.
import {createRequire} from "node:module";
import {homedir} from "node:os";
import {join} from "node:path";

/** The folder in which the packages of an adapter are installed. */
export function peerFolder(adapter) {
  return join(process.env.OPCONFORM_PEERS ?? join(homedir(), ".cache/opconform/peers"), adapter);
}

/** require() as from that folder. */
export const requireFrom = (adapter) => createRequire(join(peerFolder(adapter), "package.json"));

/** The command line's KEY=VALUE. `values`: by key, those that there are; the first is the default. An empty list: any. */
export function readOptions(values, words = process.argv.slice(2)) {
  const options = Object.fromEntries(Object.entries(values).map(([key, [first]]) => [key, first]));
  for (const word of words) {
    const [key, value] = word.split("=", 2);
    if (!values[key] || (values[key].length > 0 && !values[key].includes(value))) {
      console.error(`there is no option ${word}; there are: ` +
        Object.entries(values).map(([name, some]) => `${name}=${some.join("|") || "..."}`).join(", "));
      process.exit(1);
    }
    options[key] = value;
  }
  return options;
}
