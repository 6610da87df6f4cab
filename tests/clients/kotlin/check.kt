// A client of the service in Kotlin, typed by what the OpenAPI Generator made of its description.
import com.google.gson.Gson
import hand.models.ContextBody
import hand.models.HandAnswer
import hand.models.ProblemBody
import hand.models.ScoreAnswer
import hand.models.ScoreRequestBody
import hand.models.TableBody
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse

private val gson = Gson()
private val client = HttpClient.newHttpClient()

private fun post(address: String, type: String, body: ByteArray): HttpResponse<String> {
    val request = HttpRequest.newBuilder(URI.create(address)).header("Content-Type", type)
        .POST(HttpRequest.BodyPublishers.ofByteArray(body)).build()
    return client.send(request, HttpResponse.BodyHandlers.ofString())
}

fun main(arguments: Array<String>) {
    val service = arguments[0]
    val request = ScoreRequestBody(
        hand = "[123m] 456789m 23p 55s +1p",
        rules = "mcr",
        context = ContextBody(win = ContextBody.Win.discard, seat = ContextBody.Seat._2z, round = ContextBody.Round._1z),
        table = TableBody(winner = TableBody.Winner._2z, discarder = TableBody.Discarder._1z),
    )
    fun score(asked: ScoreRequestBody) =
        post("$service/v1/score", "application/json", gson.toJson(asked).toByteArray())

    val scored = gson.fromJson(score(request).body(), ScoreAnswer::class.java)
    val refused = gson.fromJson(score(request.copy(rules = "riichi")).body(), ProblemBody::class.java)
    val read = gson.fromJson(
        post("$service/v1/hands", "image/jpeg", byteArrayOf(120)).body(), HandAnswer::class.java
    )
    val said = mapOf(
        "total" to scored.total,
        "fans" to scored.fans.map { "${it.name.en} ${it.points}" },
        "payments" to scored.settlement?.payments,
        "hand" to read.reading.hand,
        "code" to refused.code,
    )
    println(gson.toJson(said))
}
