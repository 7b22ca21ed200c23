// `lock-database.cjs <driver> <file> <ms>`: holds the only write lock of an SQLite database for so long.
const [driver, file, forMs] = process.argv.slice(2);
const sqlite3 = require(driver);

const database = new sqlite3.Database(file);
const orThrow = (error) => {
	if (error) throw error;
};
database.configure('busyTimeout', 60_000);
database.exec('BEGIN EXCLUSIVE', (error) => {
	orThrow(error);
	setTimeout(() => database.exec('ROLLBACK', orThrow), Number(forMs));
});
