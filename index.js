// n8n loads the node and its credentials by the paths under "n8n" in package.json.
module.exports = {};
